/** Scripts: JavaScript that authors of policies write, run in a sandbox. */
export type { ScriptLimits } from './limits.js';
export type { ScriptArguments } from './run-script.js';
export { ScriptError } from './script-error.js';
export { ScriptPool, type ScriptPoolOptions } from './script-pool.js';
