/** The timer queue: carries out the timers of all policies when they are due, each once. */
import { setImmediate } from 'node:timers/promises';
import { isBlockworkError } from '../errors.js';
import type { ChangeSet, Clock, Inspector, Logger, PolicyStore, RetryState, Timers } from '../ports/index.js';
import type { Timer } from '../records/index.js';
import { isBlockFailure } from '../runtime/index.js';
import { channels, unnamedSource, type TelemetrySource } from '../telemetry/index.js';
import { firstTimers, timersOf } from './due-timers.js';
import { KeyedBackoff } from './keyed-backoff.js';
import { bothIdle, KeyedWork } from './keyed-work.js';
import { earliest, nextPoll } from './polling.js';
import type { Leases } from './nodes/store-node.js';
import type { TimerHandler, TimerHandlers } from './timer-handlers.js';
import { WorkClaims } from './work-claims.js';
import { stuckWork, type StuckWork } from './stuck-work.js';
import { Worker, type BackgroundService } from './worker.js';

export interface TimerQueueDeps {
  readonly store: PolicyStore;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly handlers: TimerHandlers;
  readonly inspector?: Inspector;
  /** Absent in a process that is alone. */
  readonly leases?: Leases | null;
  readonly source?: TelemetrySource;
}

const BATCH = 100;
/** Maximum number of policies whose timers are carried out concurrently. */
const CONCURRENT = 100;
const backoff = { firstMs: 5_000, longestMs: 30_000 };

export class TimerQueue implements BackgroundService {
  /** By policy. */
  readonly #claims: WorkClaims;
  /** Policies whose timers cannot be read. */
  readonly #unreadable: KeyedBackoff;
  /** By policy: a busy or hanging one delays only its own timers. */
  readonly #work: KeyedWork;
  readonly #worker: Worker;
  /** The first failure since `runDue` was called. */
  #failure: { readonly error: unknown } | null = null;

  constructor(private readonly deps: TimerQueueDeps) {
    this.#claims = new WorkClaims({ ...deps, work: 'timers', backoff, leases: deps.leases ?? null });
    this.#unreadable = new KeyedBackoff(backoff, deps.clock);
    this.#work = new KeyedWork(() => this.#worker.wake());
    const task = {
      name: 'timers',
      backoff,
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

  /** Timers that came due while no engine was running are carried out at once. */
  start(): void {
    this.#worker.start();
  }

  /** When the next timer is due, in milliseconds since 1970; `null` when there is none. */
  async next(): Promise<number | null> {
    const { timers } = await firstTimers(this.deps.store, 1);
    return timers[0]?.due ?? null;
  }

  /** Carries out all timers that are due now, and resolves when that is done. Rejects when the store or the engine fails. */
  async runDue(): Promise<void> {
    this.#takeFailure();
    await this.#worker.run();
    await this.idle();
    const failure = this.#takeFailure();
    if (failure !== null) throw failure.error;
  }

  /** Looks for timers that other nodes have added or left behind. */
  wake(): void {
    this.#worker.wake();
  }

  idle(): Promise<void> {
    return bothIdle(this.#worker, this.#work);
  }

  stuck(): StuckWork[] {
    const failures = [this.#worker.failure, ...this.#claims.failures(), ...this.#unreadable.failures()];
    return stuckWork('timers', failures);
  }

  async stop(): Promise<void> {
    await this.#worker.stop();
    await this.#work.idle();
  }

  /** Starts the work of each policy that has due timers, without waiting for it. */
  async #run(signal: AbortSignal): Promise<number | null> {
    // Timers that come due later wait for the next look: a timer that is always due must not keep this one going.
    const now = this.deps.clock.now();
    /** Policies whose timers other nodes carry out, or whose timers failed. */
    const skipped = new Set<string>();
    /** Work that was in progress during the scan reports its own failure. */
    const underWay = new Set(this.#work.keys);
    this.#work.noteScan();
    for (;;) {
      await this.#work.below(CONCURRENT);
      const first = await this.#first(skipped);
      if (signal.aborted) return null;
      const due = byPolicy(first.filter((timer) => timer.due <= now));
      if (due.size === 0) {
        // A failed policy that is no longer due had its timer deleted, or carried out by another node.
        this.#claims.keepOnly(new Set([...skipped, ...underWay]));
        return this.#wakeUpAt(first[0]?.due ?? null);
      }
      const claimed = await this.#claims.claim(due.keys());
      // However many rounds others' policies take, requests are answered between them.
      if (claimed.size === 0) await setImmediate();
      for (const [policyId, timers] of due) {
        (claimed.has(policyId) ? underWay : skipped).add(policyId);
        if (claimed.has(policyId)) this.#work.begin(policyId, () => this.#carryOutAll(timers, now, signal));
      }
    }
  }

  #wakeUpAt(next: number | null): number | null {
    const retry = earliest(this.#claims.nextDue(this.#work.keys), this.#unreadable.nextDue());
    return earliest(next, retry, nextPoll(this.deps.store, this.deps.clock));
  }

  #takeFailure(): { readonly error: unknown } | null {
    const failure = this.#failure;
    this.#failure = null;
    return failure;
  }

  /** The earliest timers of the policies that are neither busy, backing off nor held by another node. */
  async #first(skipped: ReadonlySet<string>): Promise<readonly Timer[]> {
    const known = new Set(this.#unreadable.waiting());
    const excluded = new Set([...this.#work.keys, ...skipped, ...known]);
    const { timers, unreadable } = await firstTimers(this.deps.store, BATCH, excluded);
    for (const [policyId, error] of unreadable) {
      this.#failure ??= { error };
      this.#report(policyId, error, this.#unreadable.failed(policyId, error));
    }
    this.#unreadable.keepOnly(new Set([...known, ...unreadable.keys()]));
    return timers;
  }

  /**
   * Carries out timers of one policy in order, then further due ones, and sets a wake-up for its next one. Never
   * rejects.
   */
  async #carryOutAll(timers: readonly Timer[], now: number, signal: AbortSignal): Promise<void> {
    const [{ policyId } = { policyId: '' }] = timers;
    try {
      for (let due = timers; due.length > 0;) {
        for (const timer of due) if (!signal.aborted) await this.#attempt(timer);
        if (signal.aborted) break;
        const first = await timersOf(this.deps.store, policyId, BATCH);
        due = first.filter((timer) => timer.due <= now);
        if (due.length === 0 && first[0] !== undefined) this.#worker.wakeAt(first[0].due);
      }
      await this.#claims.release([policyId]);
    } catch (error) {
      this.#failure ??= { error };
      const state = await this.#claims.failed(policyId, error);
      this.#report(policyId, error, state);
      this.#worker.wakeAt(state.due);
    }
  }

  /** A failure delays the timers of its policy, and no others. */
  #report(policyId: string, error: unknown, { failures, due }: RetryState): void {
    const { logger, inspector, clock } = this.deps;
    const message = 'The timers of a policy are stuck and will be retried; those of other policies are not affected.';
    logger.error(message, { policyId, failures, retryInMs: due - clock.now(), error });
    inspector?.({ type: 'background.stuck', work: 'timers', id: policyId, failures });
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

function byPolicy(timers: readonly Timer[]): Map<string, Timer[]> {
  const policies = new Map<string, Timer[]>();
  for (const timer of timers) policies.set(timer.policyId, [...(policies.get(timer.policyId) ?? []), timer]);
  return policies;
}
