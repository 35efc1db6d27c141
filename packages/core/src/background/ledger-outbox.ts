/** The ledger outbox: settles committed effects on the external ledger, in order for each policy, at least once. */
import type { ChangeSet, Clock, Inspector, Ledger, Logger, PolicyStore, Timers } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { LedgerEffect, PendingEffect } from '../records/index.js';
import { KeyedBackoff } from './keyed-backoff.js';
import { Worker, type BackgroundService } from './worker.js';

export interface LedgerOutboxDeps {
  readonly store: PolicyStore;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly inspector: Inspector;
}

const BATCH = 100;
const backoff = { firstMs: 1_000, longestMs: 300_000 };

export class LedgerOutbox implements BackgroundService {
  /** By policy: an effect that failed holds up the later ones of its policy, and no others. */
  readonly #failing: KeyedBackoff;
  readonly #worker: Worker;
  #isRetryAsked = false;

  constructor(private readonly deps: LedgerOutboxDeps) {
    this.#failing = new KeyedBackoff(backoff, deps.clock);
    this.#worker = new Worker({ name: 'ledger outbox', backoff, run: (signal) => this.#run(signal) }, deps);
  }

  committed({ changes }: ChangeSet): void {
    if (changes.some(({ kind, op }) => kind === 'settlement' && op === 'put')) this.#worker.wake();
  }

  start(): void {
    this.#worker.start();
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
  stop(): Promise<void> {
    return this.#worker.stop();
  }

  async #run(signal: AbortSignal): Promise<number | null> {
    if (this.#isRetryAsked) this.#failing.endPauses();
    this.#isRetryAsked = false;
    const passedOver = new Set(this.#failing.waiting());
    while (await this.#settleBatch(passedOver, signal));
    return this.#failing.nextDue();
  }

  /** Whether there may be more. */
  async #settleBatch(passedOver: Set<string>, signal: AbortSignal): Promise<boolean> {
    const where = { path: 'policyId', op: 'nin', value: [...passedOver] } as const;
    const batch = await this.deps.store.find('settlement', INSTANCE, { where, limit: BATCH });
    for (const pending of batch) {
      if (signal.aborted) return false;
      if (passedOver.has(pending.policyId)) continue;
      if (!(await this.#settle(pending))) passedOver.add(pending.policyId);
    }
    return batch.length === BATCH;
  }

  /** Deleted only after the ledger has it: a crash in between settles it twice, under one idempotency key. */
  async #settle(pending: PendingEffect): Promise<boolean> {
    const { id, policyId } = pending;
    const { store, ledger, inspector } = this.deps;
    try {
      await ledger.settle(await this.#effect(pending));
    } catch (error) {
      this.#failed(pending, error);
      return false;
    }
    await store.commit({ expect: {}, changes: [{ op: 'delete', kind: 'settlement', partition: INSTANCE, id }] });
    this.#failing.succeeded(policyId);
    inspector({ type: 'ledger.settled', policyId, effectId: id });
    return true;
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

  #failed({ id, policyId }: PendingEffect, error: unknown): void {
    const { failures } = this.#failing.failed(policyId);
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
