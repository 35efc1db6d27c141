/** The timer queue: carries out the timers of all policies when they are due, each once. */
import { isBlockworkError } from '../errors.js';
import type { ChangeSet, Clock, Logger, PolicyStore, Timers } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { Timer } from '../records/index.js';
import { isBlockFailure } from '../runtime/index.js';
import type { TimerHandler, TimerHandlers } from './timer-handlers.js';
import { Worker, type BackgroundService } from './worker.js';

export interface TimerQueueDeps {
  readonly store: PolicyStore;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly handlers: TimerHandlers;
}

const BATCH = 100;
/** Between looks into a store to which other processes add timers. */
const POLL_MS = 60_000;

export class TimerQueue implements BackgroundService {
  readonly #worker: Worker;

  constructor(private readonly deps: TimerQueueDeps) {
    const task = {
      name: 'timers',
      backoff: { firstMs: 5_000, longestMs: 30_000 },
      firstDue: async () => this.#wakeUpAt(await this.next()),
      run: (signal: AbortSignal) => this.#run(signal),
    };
    this.#worker = new Worker(task, deps);
  }

  committed({ changes }: ChangeSet): void {
    for (const change of changes) {
      if (change.kind === 'timer' && change.op === 'put') this.#worker.wakeAt(change.value.due);
    }
  }

  /** Timers that fell due while no engine was running are due at once. */
  start(): void {
    this.#worker.start();
  }

  /** When the next timer is due, in milliseconds since 1970; `null` when there is none. */
  async next(): Promise<number | null> {
    const [first] = await this.#first(1);
    return first?.due ?? null;
  }

  /** Carries out all timers that are due now, and resolves when that is done. Rejects when the store or the engine fails. */
  runDue(): Promise<void> {
    return this.#worker.run();
  }

  idle(): Promise<void> {
    return this.#worker.idle();
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  async #run(signal: AbortSignal): Promise<number | null> {
    // What falls due during the run waits for the next one: a timer that is always due must not keep it going.
    const now = this.deps.clock.now();
    for (;;) {
      const first = await this.#first(BATCH);
      const due = first.filter((timer) => timer.due <= now);
      if (due.length === 0) return this.#wakeUpAt(first[0]?.due ?? null);
      for (const timer of due) {
        if (signal.aborted) return null;
        await this.#carryOut(timer);
      }
    }
  }

  #wakeUpAt(next: number | null): number | null {
    const { store, clock } = this.deps;
    return store.capabilities.shared ? Math.min(next ?? Infinity, clock.now() + POLL_MS) : next;
  }

  #first(limit: number): Promise<Timer[]> {
    return this.deps.store.find('timer', INSTANCE, { order: { path: 'due', direction: 'asc' }, limit });
  }

  async #carryOut(timer: Timer): Promise<void> {
    // The type of the handler follows from that of the timer, which TypeScript cannot see through an index.
    const handler = this.deps.handlers[timer.type] as TimerHandler<Timer>;
    try {
      await handler.carryOut(timer);
    } catch (error) {
      const isOfBlock = isBlockFailure(error) || isBlockworkError(error, 'RUN_TOO_LONG');
      if (!isOfBlock || handler.giveUp === undefined) throw error;
      const { policyId, type, id } = timer;
      this.deps.logger.error('A timer could not be carried out.', { policyId, type, timer: id, error });
      await handler.giveUp(timer, error);
    }
  }
}
