/**
 * Bundles the program `blockwork` from the sources, where they changed since the last time, so that a command starts from some
 * twenty files instead of six hundred.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { licencesOf } from './bundles/licences.mjs';
import { writeBundles } from './command-line/bundles.mjs';
import { checkDependencies } from './command-line/dependencies.mjs';
import { documentationFiles, writtenDocumentation } from './command-line/documentation.mjs';
import { filesBelow, replacedBundle } from './bundles/replaced-bundle.mjs';
import { capture, main, root } from './run.mjs';

const packages = join(root, 'packages');
const folder = join(packages, 'cli');

/**
 * Resolves to what was done. `dist` has the bundle, and a note of what it was made from. `write` puts the files of a bundle into the
 * folder that it is given, and resolves to their names.
 */
export async function bundleCommandLine(dist = join(folder, 'dist'), write = writeCommandLine) {
  const sources = await sourcesHash();
  const build = await buildName(sources);
  // Two levels below the manifest, as the module that reads it is when it is compiled.
  const bundle = { dist, name: 'bundle', entry: 'program.js', wanted: `${build} ${sources}` };
  const files = await replacedBundle({ ...bundle, write: (target) => write(target, build) });
  return files === null ? 'up to date' : `${files.length} files`;
}

/** Writes the bundle into the folder, its entry being `program.js`, and resolves to the names of its files. */
async function writeCommandLine(target, build) {
  const chunks = await writeBundles(target, build);
  await checkDependencies(chunks, folder);
  await writeFile(join(target, 'LICENSES.txt'), await licencesOf(chunks));
  await writeFile(join(target, 'docs.json'), await writtenDocumentation());
  return [...chunks.map(({ fileName }) => fileName), 'LICENSES.txt', 'docs.json'];
}

/**
 * The commit that is checked out, with a part of the sources' hash where they differ from it, so that no two builds of one version
 * have one name. Only the hash where there is no repository.
 */
async function buildName(sources) {
  const git = async (...args) => {
    const { code, stdout } = await capture('git', args).catch(() => ({ code: 1, stdout: '' }));
    return code === 0 ? stdout.trim() : null;
  };
  const commit = await git('rev-parse', '--short=12', 'HEAD');
  const hash = sources.slice(0, 12);
  if (commit === null) return hash;
  return (await git('status', '--porcelain', '--', 'packages')) === '' ? commit : `${commit}.${hash}`;
}

/** One hash over the sources of all packages, what is installed, and what bundles them. */
async function sourcesHash() {
  const hash = createHash('sha256');
  const scripts = join(root, 'scripts');
  const single = [join(root, 'pnpm-lock.yaml'), join(root, 'tsconfig.lint.json'), join(scripts, 'command-line.mjs')];
  const own = (await readdir(packages)).map((name) => join(packages, name, 'src'));
  const folders = await Promise.all([join(scripts, 'bundles'), join(scripts, 'command-line'), ...own].map(pathsBelow));
  const pages = (await documentationFiles()).map((file) => join(root, file));
  for (const file of [...single, join(folder, 'package.json'), ...pages, ...folders.flat().sort()]) {
    hash.update(`\n${file.slice(root.length)}\n`).update(await readFile(file));
  }
  return hash.digest('hex');
}

const pathsBelow = async (path) => (await filesBelow(path)).map((file) => join(path, file));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await bundleCommandLine();
    return 0;
  });
}
