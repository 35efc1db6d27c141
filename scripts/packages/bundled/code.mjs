/** The code of a package as it is published: one module for each entry point, and one for what entry points share. */
import { readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { besideBlocks, librariesOfBlocks, writeBesideBlocks } from '../../bundles/blocks.mjs';
import { isOwn, substitute, write, writeOnDemand } from '../../bundles/write.mjs';
import { root } from '../../run.mjs';
import { entryFiles } from './entry-files.mjs';
import { isOutside } from './libraries.mjs';

/** Writes the modules with their source maps into the folder, and resolves to the chunks. */
export async function writeCode({ folder: source, manifest }, folder) {
  const maps = { sourcemap: true, sourcemapPathTransform: (path, map) => shownSource(path, map, source) };
  // Names of classes show in messages and log lines, so they survive where two modules have the same.
  const output = { folder, keepNames: true, plugins: beside, ...maps };
  const input = entryFiles(manifest, (name) => join(source, 'src', `${name}.ts`));
  const platform = forPages.includes(manifest.name) ? 'browser' : 'node';
  const written = [write(input, { ...output, isOutside, platform, codeSplitting: true })];
  if (manifest.name === '@blockwork/blocks') {
    // A thread has no use for the rest of core.
    const isOutsideThread = (name) => isOutside(name) && !isOwn(name);
    written.push(writeBesideBlocks(folder, { ...output, isOutside: isOutsideThread }));
    written.push(writeOnDemand(folder, 'ajv', librariesOfBlocks.resolve('ajv')));
  }
  if (manifest.name === '@blockwork/cli') {
    const thread = join(source, 'src', 'serve', 'watchdog', 'watchdog-thread.ts');
    written.push(write({ 'watchdog-thread': thread }, { ...output, isOutside, codeSplitting: false }));
  }
  return (await Promise.all(written)).flat();
}

/** They need nothing of Node.js. */
const forPages = ['@blockwork/linked-data'];

/** The command line reads its version from its manifest. */
const versionModule = 'cli/src/line/version.ts';

/** Bundled code finds these files beside itself, wherever its module was. */
const beside = [
  ...besideBlocks,
  substitute(
    'blocks/src/schemas/ajv.ts',
    `import { createRequire } from 'node:module';
     export const ajv = () => createRequire(import.meta.url)('./ajv.cjs');`,
  ),
  substitute(
    'cli/src/serve/watchdog/program.ts',
    `export const program = new URL('./watchdog-thread.js', import.meta.url);`,
  ),
  substitute(versionModule, readFileSync(join(root, 'packages', versionModule), 'utf8').replace("'../../", "'../")),
];

/** A source as a path from `dist` of the package; what is from elsewhere in the workspace keeps its end only. */
function shownSource(path, map, source) {
  const file = resolve(map, '..', path).replaceAll('\\', '/');
  const [library] = /(?<=\/node_modules\/)(?!\.pnpm\/).*$/.exec(file) ?? [];
  if (library !== undefined) return `../node_modules/${library}`;
  const inside = relative(source, file).replaceAll('\\', '/');
  return inside.startsWith('..') ? `../../${basename(source)}/${inside}` : `../${inside}`;
}
