/** The ledger outbox: settles committed effects on the external ledger, in order for each policy, at least once. */
import { PolicyLedger, publishedSchema } from '../context/index.js';
import type { ChangeSet, Ledger, PolicyStore, SettlementFacts } from '../ports/index.js';
import { isBlockworkError } from '../errors.js';
import { equalTo, INSTANCE, isObject } from '../records/index.js';
import type { Json, LedgerEffect, PendingEffect } from '../records/index.js';
import { channels, unnamedSource } from '../telemetry/index.js';
import type { Inspections, SettleOperation, TelemetrySource } from '../telemetry/index.js';
import { GuardedCommits, revisionKeys } from '../transactions/index.js';
import type { ServiceDeps } from './claiming-service.js';
import { KeyedService, type Found, type Look } from './keyed-service.js';
import { shownMessage } from '../shown-text.js';

export interface LedgerOutboxDeps extends ServiceDeps {
  readonly store: PolicyStore;
  readonly ledger: Ledger;
  readonly inspections: Inspections;
  readonly source?: TelemetrySource;
  /** The file of a policy, and its tools. */
  readonly publicationOf: (policyId: string) => Promise<Pick<SettlementFacts, 'archive' | 'tools'>>;
}

const BATCH = 100;
const task = {
  name: 'ledger outbox',
  leases: 'settlements',
  work: 'settlement',
  failure: { names: 'policyId', message: 'The effects of a policy cannot be settled; they will be retried.' },
  backoff: { firstMs: 1_000, longestMs: 300_000 },
  keyOf: ({ policyId }: PendingEffect) => policyId,
} as const;

/** A failed or slow effect delays the later ones of its policy, and no others. */
export class LedgerOutbox extends KeyedService<LedgerOutboxDeps, PendingEffect> {
  readonly #removals: GuardedCommits;
  #isRetryAsked = false;

  constructor(deps: LedgerOutboxDeps) {
    super(deps, task);
    this.#removals = new GuardedCommits(deps.store);
  }

  committed({ changes }: ChangeSet): void {
    if (changes.some(({ kind, op }) => kind === 'settlement' && op === 'put')) this.worker.wake();
  }

  /** As `retry`, without waiting for it. */
  retrySoon(): void {
    this.#isRetryAsked = true;
    this.worker.wake();
  }

  /** Tries all pending effects at once, including those backing off, and resolves when they have been tried. */
  async retry(): Promise<void> {
    this.#isRetryAsked = true;
    await this.worker.run();
    await this.idle();
  }

  protected override run(): Promise<number | null> {
    const evenPostponed = this.#isRetryAsked;
    this.#isRetryAsked = false;
    if (evenPostponed) this.claims.endPauses();
    return this.look({ evenPostponed });
  }

  protected override async find({ keys, skipped }: Look): Promise<Found<PendingEffect>> {
    const where = { path: 'policyId', op: 'nin', value: [...keys, ...skipped] } as const;
    return { due: await this.deps.store.find('settlement', INSTANCE, { where, limit: BATCH }) };
  }

  /** In order, up to the first one that fails. */
  protected override async perform(policyId: string): Promise<void> {
    while (await this.#settleBatch(policyId));
  }

  /** Resolves with whether there may be more. Reads after the claim: the previous holder may have settled some. */
  async #settleBatch(policyId: string): Promise<boolean> {
    const where = equalTo('policyId', policyId);
    const batch = await this.deps.store.find('settlement', INSTANCE, { where, limit: BATCH });
    for (const pending of batch) if (this.isStopping || !(await this.#settle(pending))) return false;
    return batch.length > 0;
  }

  /** Deleted only after the ledger has it: a crash in between settles it twice, under one idempotency key. */
  async #settle(pending: PendingEffect): Promise<boolean> {
    const { id, policyId } = pending;
    const { inspections } = this.deps;
    try {
      await this.#settleEffect(pending);
    } catch (error) {
      await this.#failed(pending, error);
      return false;
    }
    if (!(await this.#remove(pending))) return false;
    this.claims.succeeded(policyId);
    inspections.publish({ type: 'ledger.settled', policyId, effectId: id });
    return true;
  }

  async #settleEffect(pending: PendingEffect): Promise<void> {
    const { ledger, source = unnamedSource } = this.deps;
    if (!channels.settle.isHeard) {
      const effect = await this.#effect(pending);
      return ledger.settle(effect, await this.#facts(pending, effect));
    }
    const { id: effectId, policyId } = pending;
    const operation: SettleOperation = { source, traceparent: undefined, policyId, effectId };
    return channels.settle.trace(operation, async () => {
      const effect = await this.#effect(pending);
      operation.effectType = effect.type;
      await ledger.settle(effect, await this.#facts(pending, effect));
    });
  }

  async #facts(pending: PendingEffect, { policyId, tokenId, body }: LedgerEffect): Promise<SettlementFacts> {
    const document = pending.document ?? null;
    // A published policy is never changed or deleted: its file, its tools and its schemas are the same at any time.
    const type = textIn(body, 'type');
    if (type === 'publish-policy') return { document, token: null, ...(await this.deps.publicationOf(policyId)) };
    if (type === 'schema') return { document, token: null, ...(await this.#schema(policyId, body)) };
    if (tokenId === undefined) return { document, token: null };
    const token = await new PolicyLedger(this.deps.store, policyId).token(tokenId);
    return { document, token: token ?? null };
  }

  async #schema(policyId: string, message: Json | undefined): Promise<Pick<SettlementFacts, 'schema'>> {
    const iri = textIn(isObject(message) ? message['body'] : undefined, 'iri');
    const record = await this.deps.store.get('schema', policyId, iri);
    const schema = record && publishedSchema(record);
    if (schema === undefined) throw new Error(`The policy "${policyId}" has no schema "${iri}".`);
    return { schema };
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
    const { failures, due } = await this.claims.postpone(policyId, error);
    this.worker.wakeAt(due);
    const reason = shownMessage(error);
    this.deps.logger.warn('The ledger did not settle an effect; it will be retried.', {
      policyId,
      effectId: id,
      failures,
      error,
    });
    this.deps.inspections.publish({ type: 'ledger.unsettled', policyId, effectId: id, reason });
  }
}

function textIn(value: Json | undefined, member: string): string {
  const text = isObject(value) ? value[member] : undefined;
  return typeof text === 'string' ? text : '';
}
