/** Compiles what is not compiled yet, and bundles the console; a moment when nothing changed. */
import { bundleConsole } from './console.mjs';
import { runTool, step, StepFailed } from './run.mjs';

export async function build() {
  await step('Build', async () => {
    const code = await runTool('typescript/bin/tsc', ['-b', '--pretty'], { output: 'on failure' });
    if (code !== 0) throw new StepFailed('The sources do not compile; the places are above.');
  });
  await step('Console', bundleConsole);
}
