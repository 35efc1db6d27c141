/** The worker behind all background work: runs one task, one run at a time, when woken or when something is due. */
import { setImmediate } from 'node:timers/promises';
import { backoffMs, type Backoff, type Clock, type Logger, type Timers } from '../ports/index.js';
import { shownMessage } from '../shown-text.js';
import type { Failure } from './stuck-work.js';

/** The lifecycle of background work, as seen by the engine. */
export interface BackgroundService {
  start(): void;
  /** Resolves when nothing is running or about to start. Work that is due later does not count. */
  idle(): Promise<void>;
  /** Starts nothing more, and resolves when running work has ended. May be called again. */
  stop(): Promise<void>;
}

export interface WorkerTask {
  /** Names the task in log messages. */
  readonly name: string;
  /** Pauses after runs that reject. */
  readonly backoff: Backoff;
  /** Whether a pending wake-up keeps the process alive; no when absent. */
  readonly keepsProcessAlive?: boolean;
  /**
   * When the first run is due, in milliseconds since 1970; `null` to wait until it is woken. Immediately at the start
   * when absent.
   */
  firstDue?(): Promise<number | null>;
  /**
   * Does everything that can be done now. Resolves with the time when more is due, in milliseconds since 1970, or
   * `null` to wait until it is woken. Rejects if it must be retried as a whole. Ends early, at the next safe point,
   * once `signal` is aborted.
   */
  run(signal: AbortSignal): Promise<number | null>;
}

export interface WorkerDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

interface WakeUp {
  readonly due: number;
  readonly cancel: () => void;
}

export class Worker implements BackgroundService {
  readonly #stopping = new AbortController();
  #last: Promise<void> = Promise.resolve();
  #isRunQueued = false;
  #isRunning = false;
  #wakeUp: WakeUp | null = null;
  #failures = 0;
  #reason = '';
  #retryAt = 0;

  constructor(
    private readonly task: WorkerTask,
    private readonly deps: WorkerDeps,
  ) {}

  /** Why the task as a whole fails and is retried; `null` after a successful run. */
  get failure(): Failure | null {
    if (this.#failures === 0) return null;
    return { id: null, state: { failures: this.#failures, due: this.#retryAt }, reason: this.#reason };
  }

  /** Aborted when it stops. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Runs the task, or waits until its first run is due. */
  start(): void {
    const { task } = this;
    if (task.firstDue === undefined) this.wake();
    else this.#enqueue(() => task.firstDue?.() ?? Promise.resolve(null)).catch(ignored);
  }

  /**
   * Runs the task soon: after a current run, which may have missed the reason for this call, and after other tasks of
   * the process, so that a run that wakes its own worker never starves them.
   */
  wake(): void {
    if (this.#isRunQueued) return;
    this.#isRunQueued = true;
    const isAgain = this.#isRunning;
    this.#enqueue(async (signal) => {
      if (isAgain) await setImmediate();
      this.#isRunQueued = false;
      return signal.aborted ? null : this.task.run(signal);
    }).catch(ignored);
  }

  /** Wakes it at that time (milliseconds since 1970), unless an earlier wake-up is already set. */
  wakeAt(due: number): void {
    if (this.#stopping.signal.aborted || due >= (this.#wakeUp?.due ?? Infinity)) return;
    this.#wakeUp?.cancel();
    const ms = Math.max(0, due - this.deps.clock.now());
    const kind = this.task.keepsProcessAlive ? [] : (['background'] as const);
    this.#wakeUp = { due, cancel: this.deps.timers.after(ms, () => this.#ring(), ...kind) };
  }

  /** Runs the task after a current run, and settles as that run does. Does nothing once stopped. */
  run(): Promise<void> {
    return this.#enqueue((signal) => this.task.run(signal));
  }

  async idle(): Promise<void> {
    for (let last: Promise<void> | null = null; last !== this.#last;) {
      last = this.#last;
      await last;
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelWakeUp();
    await this.idle();
  }

  /** A timer for a distant time may fire early: the run then returns its due time again. */
  #ring(): void {
    this.#wakeUp = null;
    this.wake();
  }

  #enqueue(step: (signal: AbortSignal) => Promise<number | null>): Promise<void> {
    const ran = this.#last.then(() => this.#step(step));
    this.#last = ran.catch(ignored);
    return ran;
  }

  async #step(step: (signal: AbortSignal) => Promise<number | null>): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    // The run determines when the next one is due; requests made meanwhile are kept.
    this.#cancelWakeUp();
    this.#isRunning = true;
    try {
      const next = await step(signal);
      this.#failures = 0;
      if (next !== null) this.wakeAt(next);
    } catch (error) {
      this.#retry(error);
      throw error;
    } finally {
      this.#isRunning = false;
    }
  }

  #retry(error: unknown): void {
    const { task, deps } = this;
    this.#failures += 1;
    this.#reason = shownMessage(error);
    const retryInMs = backoffMs(task.backoff, this.#failures);
    this.#retryAt = deps.clock.now() + retryInMs;
    deps.logger.error('Background work failed and will be retried.', {
      task: task.name,
      failures: this.#failures,
      retryInMs,
      error,
    });
    // Never earlier, whatever was requested while it failed.
    this.#cancelWakeUp();
    this.wakeAt(deps.clock.now() + retryInMs);
  }

  #cancelWakeUp(): void {
    this.#wakeUp?.cancel();
    this.#wakeUp = null;
  }
}

/** The worker itself logs and retries failures. */
const ignored = (): void => undefined;
