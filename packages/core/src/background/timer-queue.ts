/** The timer queue: carries out the timers of all policies when they are due, each once. */
import { isBlockworkError } from '../errors.js';
import type { ChangeSet, PolicyStore } from '../ports/index.js';
import type { Timer } from '../records/index.js';
import { isBlockFailure } from '../block-api/index.js';
import { channels, type TelemetrySource, unnamedSource } from '../telemetry/index.js';
import type { ServiceDeps } from './claiming-service.js';
import { firstTimers, timersOf } from './due-timers.js';
import { KeyedBackoff } from './keyed-backoff.js';
import { type Found, KeyedService, type Look } from './keyed-service.js';
import { earliest } from './polling.js';
import { stuckWork, type StuckWork } from './stuck-work.js';

export interface TimerQueueDeps extends ServiceDeps {
  readonly store: PolicyStore;
  readonly handlers: TimerHandlers;
  readonly source?: TelemetrySource;
}

const BATCH = 100;
const task = {
  name: 'timers',
  leases: 'timers',
  work: 'timers',
  failure: {
    names: 'policyId',
    message: 'The timers of a policy are stuck and will be retried; those of other policies are not affected.',
  },
  backoff: { firstMs: 5_000, longestMs: 30_000 },
  keyOf: ({ policyId }: Timer) => policyId,
} as const;

/** A busy or hanging policy, and one whose timers fail, delays only its own timers. */
export class TimerQueue extends KeyedService<TimerQueueDeps, Timer> {
  /** Policies whose timers cannot be read. */
  readonly #unreadable: KeyedBackoff;
  /** The first failure since `runDue` was called. */
  #failure: { readonly error: unknown } | null = null;

  /** Timers that came due while no engine was running are carried out at the start. */
  constructor(deps: TimerQueueDeps) {
    super(deps, { ...task, firstDue: async () => this.nextRun(await this.next()) });
    this.#unreadable = new KeyedBackoff(task.backoff, deps.clock);
  }

  committed({ changes }: ChangeSet): void {
    for (const change of changes) {
      if (change.kind === 'timer' && change.op === 'put') this.worker.wakeAt(change.value.due);
    }
  }

  /** When the next timer is due, in milliseconds since 1970; `null` when there is none. */
  async next(): Promise<number | null> {
    const { timers } = await firstTimers(this.deps.store, 1);
    return timers[0]?.due ?? null;
  }

  /** Carries out all timers that are due now, and resolves when that is done. Rejects when the store or the engine fails. */
  async runDue(): Promise<void> {
    this.#takeFailure();
    await this.worker.run();
    await this.idle();
    const failure = this.#takeFailure();
    if (failure !== null) throw failure.error;
  }

  override stuck(): StuckWork[] {
    return [...super.stuck(), ...stuckWork('timers', this.#unreadable.failures())];
  }

  #takeFailure(): { readonly error: unknown } | null {
    const failure = this.#failure;
    this.#failure = null;
    return failure;
  }

  protected override async find({ now, keys, skipped }: Look): Promise<Found<Timer>> {
    const unreadableIds = new Set(this.#unreadable.waitingKeys());
    const excluded = new Set([...keys, ...skipped, ...unreadableIds]);
    const { timers, unreadable } = await firstTimers(this.deps.store, BATCH, excluded);
    for (const [policyId, error] of unreadable) {
      this.#failure ??= { error };
      this.report(policyId, error, this.#unreadable.failed(policyId, error));
    }
    this.#unreadable.keepOnly(new Set([...unreadableIds, ...unreadable.keys()]));
    return { due: dueAt(now, timers), next: earliest(timers[0]?.due ?? null, this.#unreadable.nextDue()) };
  }

  /** In order, then further ones that are due. Sets a wake-up for the next one. */
  protected override async perform(policyId: string, timers: readonly Timer[], { now }: Look): Promise<void> {
    for (let due = timers; due.length > 0;) {
      for (const timer of due) if (!this.isStopping) await this.#attempt(timer);
      if (this.isStopping) return;
      const first = await timersOf(this.deps.store, policyId, BATCH);
      due = dueAt(now, first);
      if (due.length === 0 && first[0] !== undefined) this.worker.wakeAt(first[0].due);
    }
  }

  protected override postpone(policyId: string, error: unknown): Promise<void> {
    this.#failure ??= { error };
    return super.postpone(policyId, error);
  }

  async #attempt(timer: Timer): Promise<void> {
    const { source = unnamedSource, clock } = this.deps;
    if (!channels.timer.isHeard) return this.#handle(timer);
    const { policyId, id: timerId, type: timerType, due } = timer;
    const lateMs = Math.max(0, clock.now() - due);
    const operation = { source, traceparent: undefined, policyId, timerId, timerType, lateMs };
    return channels.timer.trace(operation, () => this.#handle(timer));
  }

  async #handle(timer: Timer): Promise<void> {
    // The handler's type follows from the timer's, which TypeScript cannot infer through an index.
    const handler = this.deps.handlers[timer.type] as TimerHandler<Timer>;
    try {
      await handler.carryOut(timer);
    } catch (error) {
      const { policyId, type, id } = timer;
      const isOfBlock = isBlockFailure(error) || isBlockworkError(error, 'RUN_TOO_LONG');
      if (!isOfBlock || handler.giveUp === undefined) throw error;
      this.deps.logger.error('A timer could not be carried out.', { policyId, type, timer: id, error });
      await handler.giveUp(timer, error);
    }
  }
}

const dueAt = (now: number, timers: readonly Timer[]): Timer[] => timers.filter(({ due }) => due <= now);

interface TimerHandler<T extends Timer> {
  /** Carries out a timer that is due, and reschedules or deletes it in the same unit of work. */
  carryOut(timer: T): Promise<void>;
  /**
   * Called when `carryOut` failed because of a block: reschedules or deletes the timer, and records the failure.
   * When absent, the timer is retried until it can be carried out.
   */
  giveUp?(timer: T, error: unknown): Promise<void>;
}

/** One handler for each type of timer. */
export type TimerHandlers = {
  readonly [Type in Timer['type']]: TimerHandler<Extract<Timer, { type: Type }>>;
};
