/** Runs a script of a policy in a sandbox, with the arguments of the reference (section 7.31). */
import type { Json, JsonObject } from '@blockwork/core/block';
// Not from the room's index, which would load the thread pool into each thread.
import { FormulaError } from '../formulas/formula-error.js';
import { formula } from '../formulas/formula.js';
import type { ScriptLimits } from './limits.js';
import { PRELUDE } from './prelude.js';
import { inSandbox, type Sandbox } from './sandbox.js';
import { ScriptError } from './script-error.js';
import { sourceText } from './source-text.js';

export interface ScriptArguments {
  /** Also `this`. */
  readonly documents: readonly Json[];
  readonly user: JsonObject;
  /** The JSON artifacts, in order. */
  readonly artifacts: readonly Json[];
  /** The script's current time, in milliseconds since 1970. */
  readonly now: number;
  /** Seed of the script's random numbers, an integer. */
  readonly seed: number;
}

/**
 * The first result that the script passes to `done`, as JSON. `code` runs before it; `args` are `ScriptArguments` as JSON.
 * Blocks its thread while the script runs. Throws a `ScriptError` if the script fails, exceeds a limit, or never calls
 * `done`.
 */
export async function runScript(
  expression: string,
  code: readonly string[],
  args: string,
  limits: ScriptLimits,
): Promise<string> {
  const source = sourceText(expression, code);
  if (source.text.length > limits.sourceLength) {
    throw new ScriptError(`The script is longer than ${String(limits.sourceLength)} characters`);
  }
  return inSandbox(limits, (sandbox) => {
    let result: string | undefined;
    const give = (text = ''): string => {
      result = text;
      return '';
    };
    const script = sandbox.evaluate(source.text, source);
    const start = started(sandbox, give, args);
    try {
      sandbox.call(start, [script], source).dispose();
      sandbox.settle(source);
    } finally {
      start.dispose();
      script.dispose();
    }
    return resultIn(result, limits);
  });
}

/** The function of the prelude that calls the script. */
function started(sandbox: Sandbox, give: (text?: string) => string, args: string): ReturnType<Sandbox['text']> {
  const handles = [
    sandbox.evaluate(PRELUDE),
    sandbox.hostFunction('give', give),
    sandbox.hostFunction('evaluate', evaluateFormula),
    sandbox.text(args),
  ] as const;
  try {
    const [prelude, ...rest] = handles;
    return sandbox.call(prelude, rest);
  } finally {
    for (const handle of handles) handle.dispose();
  }
}

function evaluateFormula(expression = '', scope = '{}'): string {
  try {
    return JSON.stringify(formula(expression).evaluate(JSON.parse(scope) as JsonObject));
  } catch (error) {
    if (error instanceof FormulaError)
      throw new ScriptError(`The formula "${expression.slice(0, 100)}": ${error.message}`);
    throw error;
  }
}

function resultIn(result: string | undefined, limits: ScriptLimits): string {
  if (result === undefined) throw new ScriptError('The script never called done(result)');
  if (result.length > limits.resultLength) {
    throw new ScriptError(`The result is longer than ${String(limits.resultLength)} characters`);
  }
  if (result === '') throw new ScriptError('The script called done() with nothing that can be written as JSON');
  return result;
}
