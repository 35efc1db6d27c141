/** Scripts: JavaScript by authors of policies, run in a sandbox. */
export { scriptBlockOptions, type ScriptBlockOptions, type ScriptLimits } from './limits.js';
export type { ScriptArguments } from './run-script.js';
export { ScriptRunner } from './script-runner.js';
export { resultOfScript } from './script-of-block.js';
