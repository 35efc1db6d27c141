/** The ledger outbox: settles committed effects on the external ledger, in order for each policy, at least once. */
import type { ChangeSet, Clock, Inspector, Ledger, Logger, PolicyStore, Timers } from '../ports/index.js';
import { isBlockworkError } from '../errors.js';
import { equalTo, INSTANCE } from '../records/index.js';
import type { LedgerEffect, PendingEffect } from '../records/index.js';
import { channels, unnamedSource, type SettleOperation, type TelemetrySource } from '../telemetry/index.js';
import { GuardedCommits, revisionKeys } from '../transactions/index.js';
import { bothIdle, KeyedWork } from './keyed-work.js';
import { earliest, nextPoll } from './polling.js';
import type { Leases } from './nodes/store-node.js';
import { WorkClaims } from './work-claims.js';
import { stuckWork, type StuckWork } from './stuck-work.js';
import { Worker, type BackgroundService } from './worker.js';
import { shownMessage } from '../shown-text.js';

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

const BATCH = 100;
/** Maximum number of policies whose effects are settled concurrently. */
const CONCURRENT = 100;
const backoff = { firstMs: 1_000, longestMs: 300_000 };

export class LedgerOutbox implements BackgroundService {
  /** By policy: a failed effect delays the later ones of its policy, and no others. */
  readonly #claims: WorkClaims;
  /** By policy: slow effects delay only their own policy. */
  readonly #work: KeyedWork;
  readonly #removals: GuardedCommits;
  readonly #worker: Worker;
  #isRetryAsked = false;

  constructor(private readonly deps: LedgerOutboxDeps) {
    this.#claims = new WorkClaims({ ...deps, work: 'settlements', backoff, leases: deps.leases ?? null });
    this.#work = new KeyedWork(() => this.#worker.wake());
    this.#removals = new GuardedCommits(deps.store);
    this.#worker = new Worker({ name: 'ledger outbox', backoff, run: (signal) => this.#run(signal) }, deps);
  }

  committed({ changes }: ChangeSet): void {
    if (changes.some(({ kind, op }) => kind === 'settlement' && op === 'put')) this.#worker.wake();
  }

  start(): void {
    this.#worker.start();
  }

  /** Looks for effects that other nodes have left behind. */
  wake(): void {
    this.#worker.wake();
  }

  /** Tries all pending effects at once, including those backing off, and resolves when they have been tried. */
  async retry(): Promise<void> {
    this.#isRetryAsked = true;
    await this.#worker.run();
    await this.idle();
  }

  idle(): Promise<void> {
    return bothIdle(this.#worker, this.#work);
  }

  /** Pending effects are settled after the next start. */
  stuck(): StuckWork[] {
    return stuckWork('settlement', [this.#worker.failure, ...this.#claims.failures()]);
  }

  async stop(): Promise<void> {
    await this.#worker.stop();
    await this.#work.idle();
  }

  /** Starts the work of each policy that has effects to settle, without waiting for it. */
  async #run(signal: AbortSignal): Promise<number | null> {
    const isImpatient = this.#isRetryAsked;
    this.#isRetryAsked = false;
    if (isImpatient) this.#claims.endPauses();
    const skipped = new Set(this.#claims.waiting());
    /** Work that was in progress during the scan reports its own failure. */
    const underWay = new Set(this.#work.keys);
    this.#work.noteScan();
    for (;;) {
      await this.#work.below(CONCURRENT);
      const policies = await this.#policies(skipped);
      if (signal.aborted) return null;
      if (policies.size === 0) break;
      const claimed = await this.#claims.claim(policies, isImpatient);
      for (const policyId of policies) {
        (claimed.has(policyId) ? underWay : skipped).add(policyId);
        if (claimed.has(policyId)) this.#work.begin(policyId, () => this.#settleAll(policyId, signal));
      }
    }
    this.#claims.keepOnly(new Set([...skipped, ...underWay]));
    return earliest(this.#claims.nextDue(this.#work.keys), nextPoll(this.deps.store, this.deps.clock));
  }

  /** Some policies that have effects to settle and are neither busy, backing off nor held by another node. */
  async #policies(skipped: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const where = { path: 'policyId', op: 'nin', value: [...this.#work.keys, ...skipped] } as const;
    const pending = await this.deps.store.find('settlement', INSTANCE, { where, limit: BATCH });
    return new Set(pending.map(({ policyId }) => policyId));
  }

  /** Settles effects of one policy, in order, up to the first one that fails. Never rejects. */
  async #settleAll(policyId: string, signal: AbortSignal): Promise<void> {
    try {
      while (await this.#settleBatch(policyId, signal));
      // A failed claim was already returned with its pause.
      if (!this.#claims.isWaiting(policyId)) await this.#claims.release([policyId]);
    } catch (error) {
      const { failures, due } = await this.#claims.failed(policyId, error);
      const { logger, inspector } = this.deps;
      logger.error('The effects of a policy cannot be settled; they will be retried.', { policyId, failures, error });
      inspector({ type: 'background.stuck', work: 'settlement', id: policyId, failures });
      this.#worker.wakeAt(due);
    }
  }

  /** Resolves with whether there may be more. Reads after the claim: the previous holder may have settled some. */
  async #settleBatch(policyId: string, signal: AbortSignal): Promise<boolean> {
    const where = equalTo('policyId', policyId);
    const batch = await this.deps.store.find('settlement', INSTANCE, { where, limit: BATCH });
    for (const pending of batch) if (signal.aborted || !(await this.#settle(pending))) return false;
    return batch.length > 0;
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
    const { failures, due } = await this.#claims.failed(policyId, error);
    this.#worker.wakeAt(due);
    const reason = shownMessage(error);
    this.deps.logger.warn('The ledger did not settle an effect; it will be retried.', {
      policyId,
      effectId: id,
      failures,
      error,
    });
    this.deps.inspector({ type: 'ledger.unsettled', policyId, effectId: id, reason });
  }
}
