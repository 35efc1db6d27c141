/** The program of a thread that runs scripts. */
import { runScript } from './run-script.js';
import { ScriptError } from './script-error.js';
import type { ScriptOutcome, ScriptTask } from './script-runner.js';
import { yieldToEventLoop } from '../threads/priority.js';

yieldToEventLoop();

export default async function run({ expression, code, args, limits }: ScriptTask): Promise<ScriptOutcome> {
  try {
    return { result: await runScript(expression, code, args, limits) };
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    const { reason, line, column } = error;
    return { failure: { reason, line, column } };
  }
}
