/** Compiles what is not compiled yet, and bundles the command line and the console; seconds when nothing changed. */
import { join } from 'node:path';
import { bundleCommandLine } from './command-line.mjs';
import { bundleConsole } from './console.mjs';
import { root, runTool, step, StepFailed } from './run.mjs';

export async function build() {
  await step('Build', () => compile());
  await bundles();
}

/** Packages with files of their own, which the program finds beside itself. All others are in its bundle, from their sources. */
const outside = ['console', 'create-blockwork'];

/** What `blockwork` runs from. */
export async function buildProgram() {
  await compile(...outside.map((name) => join(root, 'packages', name)));
  await bundles();
}

async function compile(...projects) {
  const code = await runTool('typescript-native/bin/tsc', ['-b', '--pretty', ...projects], { output: 'on failure' });
  if (code !== 0) throw new StepFailed('The sources do not compile; the places are above.');
}

async function bundles() {
  await step('Command line', bundleCommandLine);
  await step('Console', bundleConsole);
}
