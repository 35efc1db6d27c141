/** The schedule: moments at which policies go on by themselves, kept in the store, each carried out once. */
import { isBlockworkError } from '../errors.js';
import type { ChangeSet, Clock, Logger, PolicyStore } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { Timer } from '../records/index.js';
import type { Wakeup } from './wakeup.js';
import { isBlockFailure } from '../runtime/index.js';

export interface TimerQueueDeps {
  readonly store: PolicyStore;
  readonly clock: Clock;
  readonly alarm: Pick<Wakeup, 'set' | 'clear'>;
  readonly logger: Logger;
  /** Carries out one timer that is due, and moves it on or takes it away, in one unit of work. */
  readonly carryOut: (timer: Timer) => Promise<void>;
  /** The timer's block failed for good: moves it on or takes it away all the same, and writes that down. */
  readonly giveUp: (timer: Timer, error: unknown) => Promise<void>;
}

/** How long to wait when the store is down. */
const PAUSE_MS = 5_000;
const BATCH = 100;

export class TimerQueue {
  readonly #deps: TimerQueueDeps;
  #running: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(tools: TimerQueueDeps) {
    this.#deps = tools;
  }

  /** To be told of every commit: timers may have come or gone. */
  notice(changeSet: ChangeSet): void {
    if (changeSet.changes.some(({ kind }) => kind === 'timer')) this.start();
  }

  /** Sets the alarm to the next moment. What was missed while nobody watched is due at once. */
  start(): void {
    this.#running = this.#running.then(() => this.#setAlarm());
  }

  /** The next moment at which anything is due; `null` when nothing is. */
  async next(): Promise<number | null> {
    const [first] = await this.#deps.store.find('timer', INSTANCE, {
      order: { path: 'due', direction: 'asc' },
      limit: 1,
    });
    return first?.due ?? null;
  }

  /** Carries out everything that is due now, and resolves when it is done. */
  runDue(): Promise<void> {
    const round = this.#running.then(() => this.#round());
    this.#running = round.catch(() => undefined);
    return round;
  }

  /** Nothing rings any more; resolves when what is under way has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#deps.alarm.clear();
    await this.#running;
  }

  async #setAlarm(): Promise<void> {
    if (this.#closed) return;
    try {
      const due = await this.next();
      if (due === null) this.#deps.alarm.clear();
      else this.#deps.alarm.set(due, () => this.#ring());
    } catch (error) {
      this.#pause(error);
    }
  }

  #ring(): void {
    this.runDue().then(
      () => this.start(),
      (error: unknown) => this.#pause(error),
    );
  }

  #pause(error: unknown): void {
    if (this.#closed) return;
    this.#deps.logger.error('The schedule could not be carried out; it is tried again.', { error });
    this.#deps.alarm.set(this.#deps.clock.now() + PAUSE_MS, () => this.#ring());
  }

  async #round(): Promise<void> {
    const query = { order: { path: 'due', direction: 'asc' }, limit: BATCH } as const;
    // What becomes due while this goes on waits for the next round: a timer that is always due must not keep it going.
    const now = this.#deps.clock.now();
    for (;;) {
      const first = await this.#deps.store.find('timer', INSTANCE, query);
      const due = first.filter((timer) => timer.due <= now);
      if (due.length === 0 || this.#closed) return;
      for (const timer of due) await this.#carryOut(timer);
    }
  }

  async #carryOut(timer: Timer): Promise<void> {
    try {
      await this.#deps.carryOut(timer);
    } catch (error) {
      if (!isBlockFailure(error) && !isBlockworkError(error, 'RUN_TOO_LONG')) throw error;
      this.#deps.logger.error('A block failed at its moment.', { error, policyId: timer.policyId, timer: timer.id });
      await this.#deps.giveUp(timer, error);
    }
  }
}
