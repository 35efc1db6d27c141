/** Threads that run scripts of policies, so that a script never holds up the event loop of the engine. */
import { checkOptions, optionTypes, type OptionShape } from '@blockwork/core/adapter';
import type { Json } from '@blockwork/core/block';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { FairQueue } from './fair-queue.js';
import { defaultScriptLimits, type ScriptLimits } from './limits.js';
import type { ScriptArguments } from './run-script.js';
import { ScriptError } from './script-error.js';
import type { ScriptOutcome, ScriptTask } from './script-task.js';
import { workerFile } from './worker-file.js';

export interface ScriptPoolOptions extends Partial<ScriptLimits> {
  /** Scripts that run at the same time. One less than the machine has processors when absent, and 4 at most. */
  readonly threads?: number;
}

/** A script stops itself at its limit; a thread that has not answered so long after it is ended. */
const GRACE_MS = 15_000;
/** Threads without work end, and with them what scripts have made them load. */
const IDLE_MS = 5_000;
/** Beside the memory of the script, which is not on the heap of the thread. */
const HEAP_MB = 256;

interface Waiting {
  readonly start: () => void;
}

const amount = optionTypes.wholeNumber(1);

const shape: OptionShape<ScriptPoolOptions> = {
  threads: amount,
  milliseconds: optionTypes.milliseconds(1),
  memory: amount,
  stack: amount,
  sourceLength: amount,
  argumentLength: amount,
  resultLength: amount,
};

export class ScriptPool {
  readonly #limits: ScriptLimits;
  readonly #threads: number;
  readonly #queue = new FairQueue<Waiting>();
  #pool: Piscina<ScriptTask, ScriptOutcome> | undefined;
  #running = 0;

  /** Throws `OPTION_INVALID`. */
  constructor(options: ScriptPoolOptions = {}) {
    checkOptions(options, shape, 'scripts.');
    const { threads, ...limits } = options;
    this.#limits = { ...defaultScriptLimits, ...limits };
    this.#threads = threads ?? Math.max(1, Math.min(4, availableParallelism() - 1));
  }

  /**
   * What the script handed to `done`, the first time; `code` is put before it. Scripts of different policies take turns.
   * Throws a `ScriptError` where it fails, takes too long or too much, or never calls `done`.
   */
  async run(policyId: string, expression: string, code: readonly string[], args: ScriptArguments): Promise<Json> {
    const limits = this.#limits;
    const task: ScriptTask = { expression, code, args: JSON.stringify(args), limits };
    if (task.args.length > limits.argumentLength) {
      throw new ScriptError(`The script was given more than ${String(limits.argumentLength)} characters of documents`);
    }
    await this.#turn(policyId);
    try {
      return resultOf(await this.#run(task));
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  /** Ends the threads; scripts under way fail. The next script begins new ones. */
  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }

  #turn(policyId: string): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.push(policyId, { start: resolve });
      this.#startNext();
    });
  }

  #startNext(): void {
    while (this.#running < this.#threads) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#running += 1;
      next.start();
    }
  }

  async #run(task: ScriptTask): Promise<ScriptOutcome> {
    this.#pool ??= new Piscina<ScriptTask, ScriptOutcome>({
      filename: fileURLToPath(workerFile),
      minThreads: 0,
      maxThreads: this.#threads,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const signal = AbortSignal.timeout(task.limits.milliseconds + GRACE_MS);
    try {
      return await this.#pool.run(task, { signal });
    } catch (error) {
      if (signal.aborted) throw new ScriptError(`The script took longer than ${String(task.limits.milliseconds)} ms`);
      if (isOutOfMemory(error)) throw new ScriptError('The script needs more memory than a thread has');
      throw error;
    }
  }
}

function resultOf(outcome: ScriptOutcome): Json {
  if ('result' in outcome) return JSON.parse(outcome.result) as Json;
  const { reason, line, column } = outcome.failure;
  throw new ScriptError(reason, line, column);
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
