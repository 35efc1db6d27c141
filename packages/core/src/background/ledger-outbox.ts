/** The ledger outbox: settles committed effects on the external ledger, in order for each policy, at least once. */
import type { ChangeSet, Clock, Inspector, Ledger, Logger, PolicyStore, Timers } from '../ports/index.js';
import { isBlockworkError } from '../errors.js';
import { INSTANCE } from '../records/index.js';
import type { LedgerEffect, PendingEffect } from '../records/index.js';
import { channels, unnamedSource, type SettleOperation, type TelemetrySource } from '../telemetry/index.js';
import { GuardedCommits, revisionKeys } from '../transactions/index.js';
import { earliest, nextLook } from './polling.js';
import type { Leases } from './store-node.js';
import { WorkClaims } from './work-claims.js';
import { stuckWork, type StuckWork } from './stuck-work.js';
import { Worker, type BackgroundService } from './worker.js';

export interface LedgerOutboxDeps {
  readonly store: PolicyStore;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly inspector: Inspector;
  /** Absent in a process that is alone. */
  readonly leases?: Leases | null;
  readonly source?: TelemetrySource;
}

/** One run over what is pending. */
interface Round {
  readonly signal: AbortSignal;
  /** What fails is tried before its time. */
  readonly isImpatient: boolean;
  /** Policies that this node works on, and those that are left alone until the next run. */
  readonly mine: Set<string>;
  readonly passedOver: Set<string>;
}

const BATCH = 100;
const backoff = { firstMs: 1_000, longestMs: 300_000 };

export class LedgerOutbox implements BackgroundService {
  /** By policy: an effect that failed holds up the later ones of its policy, and no others. */
  readonly #claims: WorkClaims;
  readonly #removals: GuardedCommits;
  readonly #worker: Worker;
  #isRetryAsked = false;

  constructor(private readonly deps: LedgerOutboxDeps) {
    this.#claims = new WorkClaims({ ...deps, work: 'settlements', backoff, leases: deps.leases ?? null });
    this.#removals = new GuardedCommits(deps.store);
    this.#worker = new Worker({ name: 'ledger outbox', backoff, run: (signal) => this.#run(signal) }, deps);
  }

  committed({ changes }: ChangeSet): void {
    if (changes.some(({ kind, op }) => kind === 'settlement' && op === 'put')) this.#worker.wake();
  }

  start(): void {
    this.#worker.start();
  }

  /** Looks for effects that other nodes have left. */
  wake(): void {
    this.#worker.wake();
  }

  /** Tries everything that is pending at once, also what is backing off, and resolves when it has been tried. */
  retry(): Promise<void> {
    this.#isRetryAsked = true;
    return this.#worker.run();
  }

  idle(): Promise<void> {
    return this.#worker.idle();
  }

  /** What is pending is settled after the next start. */
  stuck(): StuckWork[] {
    return stuckWork('settlement', [this.#worker.failure, ...this.#claims.failures()]);
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  async #run(signal: AbortSignal): Promise<number | null> {
    const isImpatient = this.#isRetryAsked;
    this.#isRetryAsked = false;
    if (isImpatient) this.#claims.endPauses();
    const round: Round = { signal, isImpatient, mine: new Set(), passedOver: new Set(this.#claims.waiting()) };
    try {
      while (await this.#settleBatch(round));
    } finally {
      await this.#claims.release(round.mine);
    }
    this.#claims.keepOnly(round.passedOver);
    return earliest(this.#claims.nextDue(), nextLook(this.deps.store, this.deps.clock));
  }

  /** Whether there may be more. */
  async #settleBatch(round: Round): Promise<boolean> {
    const { signal, mine, passedOver } = round;
    const where = { path: 'policyId', op: 'nin', value: [...passedOver] } as const;
    const batch = await this.deps.store.find('settlement', INSTANCE, { where, limit: BATCH });
    const isNew = await this.#claimPolicies(batch, round);
    // Who held them before may have settled what was read.
    if (isNew && this.#claims.areShared) return true;
    for (const pending of batch) {
      if (signal.aborted) return false;
      if (!mine.has(pending.policyId) || (await this.#settle(pending))) continue;
      mine.delete(pending.policyId);
      passedOver.add(pending.policyId);
    }
    return batch.length === BATCH;
  }

  /** Whether there is a policy among them that was not claimed before. */
  async #claimPolicies(batch: readonly PendingEffect[], { mine, passedOver, isImpatient }: Round): Promise<boolean> {
    const unclaimed = new Set(batch.map(({ policyId }) => policyId).filter((policyId) => !mine.has(policyId)));
    if (unclaimed.size === 0) return false;
    const claimed = await this.#claims.claim(unclaimed, isImpatient);
    for (const policyId of unclaimed) (claimed.has(policyId) ? mine : passedOver).add(policyId);
    return true;
  }

  /** Deleted only after the ledger has it: a crash in between settles it twice, under one idempotency key. */
  async #settle(pending: PendingEffect): Promise<boolean> {
    const { id, policyId } = pending;
    const { inspector } = this.deps;
    try {
      await this.#settleEffect(pending);
    } catch (error) {
      await this.#failed(pending, error);
      return false;
    }
    if (!(await this.#remove(pending))) return false;
    this.#claims.succeeded(policyId);
    inspector({ type: 'ledger.settled', policyId, effectId: id });
    return true;
  }

  async #settleEffect(pending: PendingEffect): Promise<void> {
    const { ledger, source = unnamedSource } = this.deps;
    if (!channels.settle.isHeard) return ledger.settle(await this.#effect(pending));
    const { id: effectId, policyId } = pending;
    const operation: SettleOperation = { source, traceparent: undefined, policyId, effectId };
    return channels.settle.trace(operation, async () => {
      const effect = await this.#effect(pending);
      operation.effectType = effect.type;
      await ledger.settle(effect);
    });
  }

  /** Whether this node removed it. If another node did, the policy is left to that node. */
  async #remove({ id, policyId }: PendingEffect): Promise<boolean> {
    const key = revisionKeys.settlements.of(policyId);
    try {
      await this.#removals.commit(key, [{ op: 'delete', kind: 'settlement', partition: INSTANCE, id }]);
      return true;
    } catch (error) {
      if (isBlockworkError(error, 'CONFLICT')) return false;
      throw error;
    }
  }

  async #effect({ id, policyId }: PendingEffect): Promise<LedgerEffect> {
    const { store } = this.deps;
    const effect = await store.get('ledger-effect', policyId, id);
    if (effect === undefined) throw new Error(`The book of policy "${policyId}" has no effect "${id}".`);
    if (effect.messageId === undefined) return effect;
    const message = await store.get('ledger-message', policyId, effect.messageId);
    if (message === undefined)
      throw new Error(`The book of policy "${policyId}" has no message "${effect.messageId}".`);
    return { ...effect, body: { ...message } };
  }

  async #failed({ id, policyId }: PendingEffect, error: unknown): Promise<void> {
    const { failures } = await this.#claims.failed(policyId, error);
    const reason = error instanceof Error ? error.message : String(error);
    this.deps.logger.warn('The ledger did not settle an effect; it will be retried.', {
      policyId,
      effectId: id,
      failures,
      error,
    });
    this.deps.inspector({ type: 'ledger.unsettled', policyId, effectId: id, reason });
  }
}
