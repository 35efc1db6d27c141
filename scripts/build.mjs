/** Compiles what is not compiled yet, and bundles the command line and the console; seconds when nothing changed. */
import { bundleCommandLine } from './command-line.mjs';
import { bundleConsole } from './console.mjs';
import { runTool, step, StepFailed } from './run.mjs';

export async function build() {
  await step('Build', async () => {
    const code = await runTool('typescript-native/bin/tsc', ['-b', '--pretty'], { output: 'on failure' });
    if (code !== 0) throw new StepFailed('The sources do not compile; the places are above.');
  });
  await step('Command line', bundleCommandLine);
  await step('Console', bundleConsole);
}
