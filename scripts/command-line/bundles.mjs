/** Writes the bundles of the command line from the sources: the program, the programs of its threads, and what is loaded on demand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { besideBlocks, writeBesideBlocks } from '../bundles/blocks.mjs';
import { isOwn, isPackage, packageOf, substitute, write } from '../bundles/write.mjs';
import { root } from '../run.mjs';
import { preparedDocument } from './prepared-document.mjs';

const packages = join(root, 'packages');
const { version } = JSON.parse(readFileSync(join(packages, 'core', 'package.json'), 'utf8'));
const program = join(packages, 'cli', 'src', 'index.ts');
const watchdog = join(packages, 'cli', 'src', 'serve', 'watchdog', 'watchdog-thread.ts');

/** What commands load that only look at a policy: small, and slow to find as files of their own. */
const small = ['commander', 'croner', 'fraction.js', 'lru-cache', 'zod'];
const files = ['ajv-formats/dist/formats.js'];

/** The console finds its page beside itself, so it stays a package, too. */
const isOutside = (name) =>
  isPackage(name) && !isOwn(name) && !small.includes(packageOf(name)) && !files.includes(name);

/** What every command is written with is one file, since a file costs more to open than these cost to read. */
const line = {
  name: 'line',
  test: /[\\/]cli[\\/]src[\\/]line[\\/](?:build|command|exit-codes|failure|make-folder|version)\.ts$/,
};

/** What checks options and values, of which each command that looks at a policy needs most. */
const options = {
  name: 'options',
  test: /[\\/]core[\\/]src[\\/](?:options[\\/]|defaults[\\/]option-types\.ts$)/,
};

/**
 * Writes all bundles into the folder, the entry being `program.js`, and resolves to their chunks. `build` is what tells this build
 * from others of the same version; see `buildName`.
 */
export async function writeBundles(folder, build) {
  const plugins = [...besideBlocks, watchdogProgram, ...named(build), await openApiDocument()];
  const common = { folder, plugins, isOutside };
  const written = await Promise.all([
    write({ program }, { ...common, codeSplitting: { groups: [line, options] } }),
    write({ 'watchdog-thread': watchdog }, { ...common, codeSplitting: false }),
    writeBesideBlocks(folder, common),
  ]);
  return written.flat();
}

const watchdogProgram = substitute(
  'cli/src/serve/watchdog/program.ts',
  `export const program = new URL('./watchdog-thread.js', import.meta.url);`,
);

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
