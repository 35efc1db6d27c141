/**
 * Bundles the program `blockwork` from the sources, so that a command starts from some twenty files instead of six hundred.
 * Libraries stay packages: they keep their licences, and are shared with whatever else is installed.
 */
import { rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { manifestOf } from './packages/workspace.mjs';
import { main, root, StepFailed } from './run.mjs';

const packages = join(root, 'packages');
const sources = {
  program: join(packages, 'cli', 'src', 'index.ts'),
  'formula-worker': join(packages, 'blocks', 'src', 'formulas', 'runner', 'formula-worker.ts'),
  'script-worker': join(packages, 'blocks', 'src', 'scripts', 'script-worker.ts'),
};

/** Two levels below the manifest, as the module that reads it is when it is compiled. */
const place = join(packages, 'cli', 'dist', 'bundle');

/** The console finds its page beside itself, so it stays a package, too. */
const isOwn = (name) => name.startsWith('@blockwork/') && name !== '@blockwork/console';
const isPackage = (name) => /^[^.\0]/.test(name) && !isAbsolute(name);

/** Threads load their programs from beside the program. */
const threadPrograms = {
  name: 'thread-programs',
  load: (id) =>
    id.replaceAll('\\', '/').endsWith('/blocks/src/threads/programs.ts')
      ? `export const programs = {
           formula: new URL('./formula-worker.js', import.meta.url),
           script: new URL('./script-worker.js', import.meta.url),
         };`
      : null,
};

/** Resolves to what was done. */
export async function bundleCommandLine() {
  await rm(place, { recursive: true, force: true });
  const chunks = await writeCommandLine(place);
  await checkDependencies(chunks);
  return `${chunks.length} files`;
}

/** Writes the bundle into the folder, its entry being `program.js`, and resolves to its chunks. */
export async function writeCommandLine(folder) {
  const { program, ...workers } = sources;
  // A thread loads one file, which holds what it runs and no more.
  const alone = Object.entries(workers).map(([name, source]) => write({ [name]: source }, folder, false));
  return (await Promise.all([write({ program }, folder, true), ...alone])).flat();
}

async function write(input, folder, codeSplitting) {
  // It is installed by the step before this one.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: (name) => isPackage(name) && !isOwn(name),
    tsconfig: join(root, 'tsconfig.lint.json'),
    plugins: [threadPrograms],
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    codeSplitting,
    comments: { annotation: false, jsdoc: false },
  });
  await bundle.close();
  return output.filter(({ type }) => type === 'chunk');
}

/** What a bundle loads has to be what its package depends on, or it is found by luck only. */
async function checkDependencies(chunks) {
  const { dependencies } = await manifestOf(join(packages, 'cli'));
  const files = new Set(chunks.map(({ fileName }) => fileName));
  const names = chunks
    .flatMap(namesIn)
    .filter((name) => isPackage(name) && !name.startsWith('node:') && !files.has(name));
  const loaded = new Set(names.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)[0]));
  const missing = [...loaded].filter((name) => !(name in dependencies));
  const unused = Object.keys(dependencies).filter((name) => !isOwn(name) && !loaded.has(name));
  if (missing.length > 0)
    throw new StepFailed(`Add to the dependencies of packages/cli, whose bundle loads them: ${missing.join(', ')}.`);
  if (unused.length > 0)
    throw new StepFailed(`Remove from the dependencies of packages/cli, which loads none of: ${unused.join(', ')}.`);
}

/** What a file loads: packages and other files, at its start or on demand. */
function namesIn({ imports, dynamicImports, code }) {
  const onDemand = code.matchAll(/createRequire\(import\.meta\.url\)(?:\.resolve)?\(["']([^"']+)["']\)/g);
  return [...imports, ...dynamicImports, ...[...onDemand].map(([, name]) => name)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await bundleCommandLine();
    return 0;
  });
}
