/** Scripts: JavaScript that authors of policies write, run in a sandbox. */
export { defaultScriptLimits, type ScriptLimits } from './limits.js';
export { runScript, type ScriptArguments } from './run-script.js';
export { ScriptError } from './script-error.js';
