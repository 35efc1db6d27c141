/** Runs scripts of policies in threads, so that a script never blocks the event loop. */
import type { Json } from '@blockwork/core/block';
import { ThreadPool, ThreadStopped } from '../threads/index.js';
import { scriptLimits, type ScriptLimits } from './limits.js';
import type { ScriptArguments } from './run-script.js';
import { ScriptError } from './script-error.js';

/** A script ends itself at its time limit. A thread that has not answered this much later is ended. */
const GRACE_MS = 15_000;

export class ScriptRunner {
  readonly #limits: ScriptLimits;

  /** Throws `OPTION_INVALID`. */
  constructor(
    limits: Partial<ScriptLimits> = {},
    private readonly threads = new ThreadPool(),
  ) {
    this.#limits = scriptLimits(limits);
  }

  /**
   * The first result that the script passes to `done`. `code` runs before it. Throws a `ScriptError` if the script
   * fails, exceeds a limit, or never calls `done`.
   */
  async run(policyId: string, expression: string, code: readonly string[], args: ScriptArguments): Promise<Json> {
    const limits = this.#limits;
    const task: ScriptTask = { expression, code, args: JSON.stringify(args), limits };
    if (task.args.length > limits.argumentLength) {
      throw new ScriptError(`The script was given more than ${String(limits.argumentLength)} characters of documents`);
    }
    return resultOf(await this.#outcome(policyId, task));
  }

  async #outcome(policyId: string, task: ScriptTask): Promise<ScriptOutcome> {
    const { milliseconds } = task.limits;
    try {
      return (await this.threads.run(policyId, 'script', task, milliseconds + GRACE_MS)) as ScriptOutcome;
    } catch (error) {
      if (!(error instanceof ThreadStopped)) throw error;
      throw new ScriptError(
        error.limit === 'time'
          ? `The script took longer than ${String(milliseconds)} ms`
          : 'The script needs more memory than a thread has',
      );
    }
  }
}

function resultOf(outcome: ScriptOutcome): Json {
  if ('result' in outcome) return JSON.parse(outcome.result) as Json;
  const { reason, line, column } = outcome.failure;
  throw new ScriptError(reason, line, column);
}

export interface ScriptTask {
  readonly expression: string;
  /** Artifacts of code, which run before the expression. */
  readonly code: readonly string[];
  /** `ScriptArguments` as JSON. */
  readonly args: string;
  readonly limits: ScriptLimits;
}

/** The result as JSON, or the error. */
export type ScriptOutcome =
  | { readonly result: string }
  | { readonly failure: { readonly reason: string; readonly line: number | null; readonly column: number | null } };
