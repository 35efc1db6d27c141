/** A bounded pool of threads, so that scripts and large formulas of policies do not block the event loop. */
import { checkOptions, optionTypes } from '@blockwork/core/block';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { programs } from './programs.js';

export interface ThreadPoolOptions {
  /** Tasks that run at the same time. When absent, one less than the machine has processors, within 1 to 4. */
  readonly size?: number;
}

/** Idle threads end after this, which frees what their tasks loaded. */
const IDLE_MS = 5_000;
/** Heap of a thread. The memory of a script is WebAssembly and not part of it. */
const HEAP_MB = 256;

interface Waiting {
  readonly start: () => void;
}

/**
 * Threads start with their first task. Several block types can share a pool:
 *
 * ```ts
 * const threads = new ThreadPool({ size: 2 });
 * const blocks = [switchBlock({ threads }), customLogicBlock({ threads })];
 * ```
 */
export class ThreadPool {
  readonly #size: number;
  readonly #queue = new FairQueue<Waiting>();
  #pool: Promise<Piscina<unknown, unknown>> | undefined;
  #running = 0;

  /** Throws `OPTION_INVALID`. */
  constructor(options: ThreadPoolOptions = {}) {
    checkOptions(options, { size: optionTypes.wholeNumber(1, 64) }, 'thread pool: ');
    this.#size = options.size ?? Math.max(1, Math.min(4, availableParallelism() - 1));
  }

  /**
   * What the default export of the program returns for the task. Tasks of different policies take turns. Rejects with
   * `ThreadStopped` after `milliseconds` of running, or when the task needs more memory than a thread has.
   *
   * @internal
   */
  async run(policyId: string, program: keyof typeof programs, task: unknown, milliseconds: number): Promise<unknown> {
    await this.#turn(policyId);
    try {
      return await this.#run(program, task, milliseconds);
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  /** Ends the threads; running tasks fail. The next task starts new ones. */
  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await (await pool)?.destroy();
  }

  #turn(policyId: string): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.push(policyId, { start: resolve });
      this.#startNext();
    });
  }

  #startNext(): void {
    while (this.#running < this.#size) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#running += 1;
      next.start();
    }
  }

  /** The library is loaded with the first task; where that fails, the next one tries once more. */
  #opened(): Promise<Piscina<unknown, unknown>> {
    if (this.#pool !== undefined) return this.#pool;
    const opening = openPool(this.#size);
    opening.catch(() => {
      if (this.#pool === opening) this.#pool = undefined;
    });
    this.#pool = opening;
    return opening;
  }

  async #run(program: keyof typeof programs, task: unknown, milliseconds: number): Promise<unknown> {
    const pool = await this.#opened();
    const signal = AbortSignal.timeout(milliseconds);
    try {
      return await pool.run(task, { filename: fileURLToPath(programs[program]), signal });
    } catch (error) {
      if (signal.aborted) throw new ThreadStopped('time', error);
      if (isOutOfMemory(error)) throw new ThreadStopped('memory', error);
      throw error;
    }
  }
}

async function openPool(size: number): Promise<Piscina<unknown, unknown>> {
  const { Piscina } = await import('piscina');
  return new Piscina<unknown, unknown>({
    minThreads: 0,
    maxThreads: size,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
}

/** For the options of block types that share a pool. */
export const threadPoolType = optionTypes.satisfying<ThreadPool>(
  (value) => value instanceof ThreadPool,
  'must be a ThreadPool',
);

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** A queue that serves its keys in turn, so that a key with many waiting tasks delays those of another key by one task only. */
export class FairQueue<T> {
  /** Keys in the order in which they are served. */
  readonly #waiting = new Map<string, T[]>();

  push(key: string, task: T): void {
    const tasks = this.#waiting.get(key);
    if (tasks === undefined) this.#waiting.set(key, [task]);
    else tasks.push(task);
  }

  /** The next task; `undefined` when none waits. */
  shift(): T | undefined {
    for (const [key, tasks] of this.#waiting) {
      const task = tasks.shift();
      this.#waiting.delete(key);
      // Behind all other keys.
      if (tasks.length > 0) this.#waiting.set(key, tasks);
      return task;
    }
    return undefined;
  }
}

/** A task was ended together with its thread, before it had a result. */
export class ThreadStopped extends Error {
  override readonly name = 'ThreadStopped';

  constructor(
    /** The limit that the task exceeded. */
    readonly limit: 'time' | 'memory',
    cause: unknown,
  ) {
    super(`A task was stopped: it exceeded its limit of ${limit}`, { cause });
  }
}
