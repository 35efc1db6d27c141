/** Writes the bundles of the command line from the sources: the program, the programs of its threads, and the parser of formulas. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { root } from '../run.mjs';
import { preparedDocument } from './prepared-document.mjs';

const packages = join(root, 'packages');
const { version } = JSON.parse(readFileSync(join(packages, 'core', 'package.json'), 'utf8'));
const formulas = join(packages, 'blocks', 'src', 'formulas');
const sources = {
  program: join(packages, 'cli', 'src', 'index.ts'),
  'formula-worker': join(formulas, 'runner', 'formula-worker.ts'),
  'script-worker': join(packages, 'blocks', 'src', 'scripts', 'script-worker.ts'),
  'watchdog-thread': join(packages, 'cli', 'src', 'serve', 'watchdog', 'watchdog-thread.ts'),
};

/** What commands load that only look at a policy: small, and slow to find as files of their own. */
const small = ['commander', 'croner', 'fraction.js', 'lru-cache', 'zod'];
const files = ['ajv-formats/dist/formats.js'];

/** The console finds its page beside itself, so it stays a package, too. */
export const isOwn = (name) => name.startsWith('@blockwork/') && name !== '@blockwork/console';
export const isPackage = (name) => /^[^.\0]/.test(name) && !isAbsolute(name);
export const packageOf = (name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)[0];
const isBundled = (name) => isOwn(name) || small.includes(packageOf(name)) || files.includes(name);

/**
 * Writes all bundles into the folder, the entry being `program.js`, and resolves to their chunks. `build` is what tells this build
 * from others of the same version; see `buildName`.
 */
export async function writeBundles(folder, build) {
  const { program, ...workers } = sources;
  const substitutes = [...beside, ...named(build), await openApiDocument()];
  // A thread loads one file, which holds what it runs and no more.
  const alone = Object.entries(workers).map(([name, source]) =>
    write({ [name]: source }, { folder, substitutes, codeSplitting: false }),
  );
  const written = await Promise.all([
    write({ program }, { folder, substitutes, codeSplitting: true }),
    writeFormulaParser(folder),
    writeExpressions(folder),
    ...alone,
  ]);
  return written.flat();
}

/** The parser of formulas, without the rest of its library. It is loaded with the first formula, and at once: so it is no ES module. */
export const writeFormulaParser = (folder) =>
  writeAtOnce(folder, 'formula-parser', join(formulas, 'values', 'parser-alone.ts'));

/** What matches the patterns of schemas, which is loaded with the first of them. */
const writeExpressions = (folder) =>
  writeAtOnce(folder, 'expressions', createRequire(join(packages, 'blocks', 'package.json')).resolve('re2js'));

const writeAtOnce = (folder, name, source) =>
  write(
    { [name]: source },
    { folder, format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false, isOutside: () => false },
  );

/** Bundled code finds these files beside itself. */
const beside = [
  substitute(
    'blocks/src/threads/programs.ts',
    `export const programs = {
       formula: new URL('./formula-worker.js', import.meta.url),
       script: new URL('./script-worker.js', import.meta.url),
     };`,
  ),
  substitute(
    'cli/src/serve/watchdog/program.ts',
    `export const program = new URL('./watchdog-thread.js', import.meta.url);`,
  ),
  substitute(
    'blocks/src/formulas/values/library.ts',
    `import { createRequire } from 'node:module';
     export const loadParts = () => createRequire(import.meta.url)('./formula-parser.cjs').loadParts();`,
  ),
  substitute(
    'blocks/src/schemas/linear-expressions.ts',
    `import { createRequire } from 'node:module';
     export const loadExpressions = () => createRequire(import.meta.url)('./expressions.cjs');`,
  ),
];

/** What the program and its nodes say of themselves. */
const named = (build) => [
  substitute('cli/src/line/build.ts', `export const build = ${JSON.stringify(build)};`),
  substitute(
    'core/src/version.ts',
    `export const version = ${JSON.stringify(build === '' ? version : `${version}+${build}`)};`,
  ),
];

/** Making the document takes longer than all else that its command does, and it is the same each time. */
const openApiDocument = async () =>
  substitute(
    'cli/src/commands/contract-document.ts',
    await preparedDocument(join(packages, 'contract', 'src', 'index.ts')),
  );

/** Another text for the module whose path ends so. */
function substitute(path, code) {
  return { name: path, load: (id) => (id.replaceAll('\\', '/').endsWith(`/${path}`) ? code : null) };
}

async function write(input, { folder, substitutes = [], isOutside = isPackage, format = 'esm', ...output }) {
  // It is installed by the step before this one.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: (name) => isOutside(name) && !isBundled(name),
    tsconfig: join(root, 'tsconfig.lint.json'),
    plugins: substitutes,
  });
  const written = await bundle.write({
    dir: folder,
    format,
    comments: { annotation: false, jsdoc: false },
    ...output,
  });
  await bundle.close();
  return written.output.filter(({ type }) => type === 'chunk');
}
