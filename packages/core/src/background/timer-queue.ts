/** The timer queue: carries out the timers of all policies when they are due, each once. */
import { isBlockworkError } from '../errors.js';
import type { ChangeSet, Clock, Inspector, Logger, PolicyStore, Timers } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { Timer } from '../records/index.js';
import { isBlockFailure } from '../runtime/index.js';
import { earliest, nextLook } from './polling.js';
import type { Leases } from './store-node.js';
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
}

/** The policies that a run works on, and those whose timers other nodes carry out. */
interface Round {
  readonly mine: Set<string>;
  readonly passedOver: Set<string>;
}

const BATCH = 100;
const backoff = { firstMs: 5_000, longestMs: 30_000 };

export class TimerQueue implements BackgroundService {
  /** By policy. */
  readonly #claims: WorkClaims;
  readonly #worker: Worker;
  /** The first failure of the last run. */
  #failure: { readonly error: unknown } | null = null;

  constructor(private readonly deps: TimerQueueDeps) {
    this.#claims = new WorkClaims({ ...deps, work: 'timers', backoff, leases: deps.leases ?? null });
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
  async runDue(): Promise<void> {
    await this.#worker.run();
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Looks for timers that other nodes have added or left. */
  wake(): void {
    this.#worker.wake();
  }

  idle(): Promise<void> {
    return this.#worker.idle();
  }

  stuck(): StuckWork[] {
    return stuckWork('timers', [this.#worker.failure, ...this.#claims.failures()]);
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  async #run(signal: AbortSignal): Promise<number | null> {
    // What falls due during the run waits for the next one: a timer that is always due must not keep it going.
    const now = this.deps.clock.now();
    const round: Round = { mine: new Set(), passedOver: new Set() };
    this.#failure = null;
    try {
      for (;;) {
        const first = await this.#first(BATCH, round.passedOver);
        const due = first.filter((timer) => timer.due <= now);
        if (due.length === 0) return this.#wakeUpAt(first[0]?.due ?? null, round);
        await this.#claimPolicies(due, round);
        await Promise.all(byPolicy(due).map((timers) => this.#carryOutAll(timers, round, signal)));
        if (signal.aborted) return null;
      }
    } finally {
      await this.#claims.release(round.mine);
    }
  }

  async #claimPolicies(due: readonly Timer[], { mine, passedOver }: Round): Promise<void> {
    const unclaimed = new Set(due.map(({ policyId }) => policyId).filter((policyId) => !mine.has(policyId)));
    if (unclaimed.size === 0) return;
    const claimed = await this.#claims.claim(unclaimed);
    for (const policyId of unclaimed) (claimed.has(policyId) ? mine : passedOver).add(policyId);
  }

  #wakeUpAt(next: number | null, round?: Round): number | null {
    // What failed before and is no longer due was deleted, or carried out by another node.
    if (round !== undefined) this.#claims.keepOnly(round.passedOver);
    return earliest(next, this.#claims.nextDue(), nextLook(this.deps.store, this.deps.clock));
  }

  #first(limit: number, passedOver: ReadonlySet<string> = new Set()): Promise<Timer[]> {
    const where = { path: 'policyId', op: 'nin', value: [...passedOver] } as const;
    const order = { path: 'due', direction: 'asc' } as const;
    return this.deps.store.find('timer', INSTANCE, { ...(passedOver.size > 0 && { where }), order, limit });
  }

  /** Timers of one policy, in their order: policies do not wait for each other, as one may be busy for long. */
  async #carryOutAll(timers: readonly Timer[], round: Round, signal: AbortSignal): Promise<void> {
    for (const timer of timers) {
      if (signal.aborted) return;
      if (round.mine.has(timer.policyId)) await this.#carryOut(timer, round);
    }
  }

  /** A failure holds up the timers of its policy, and no others. */
  async #carryOut(timer: Timer, round: Round): Promise<void> {
    const { policyId, type, id } = timer;
    try {
      await this.#attempt(timer);
    } catch (error) {
      this.#failure ??= { error };
      round.mine.delete(policyId);
      round.passedOver.add(policyId);
      const { failures, due } = await this.#claims.failed(policyId, error);
      const retryInMs = due - this.deps.clock.now();
      const facts = { policyId, type, timer: id, failures, retryInMs, error };
      this.deps.logger.error(
        'The timers of a policy are stuck and will be retried; those of other policies are not affected.',
        facts,
      );
      this.deps.inspector?.({ type: 'background.stuck', work: 'timers', id: policyId, failures });
    }
  }

  async #attempt(timer: Timer): Promise<void> {
    // The type of the handler follows from that of the timer, which TypeScript cannot see through an index.
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

function byPolicy(timers: readonly Timer[]): Timer[][] {
  const policies = new Map<string, Timer[]>();
  for (const timer of timers) policies.set(timer.policyId, [...(policies.get(timer.policyId) ?? []), timer]);
  return [...policies.values()];
}
