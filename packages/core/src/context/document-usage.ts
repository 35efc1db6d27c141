/**
 * Document quotas. Documents are counted in the unit of work that changes them, under the policy's revision, so counts
 * are exact whichever process writes. Without quotas nothing is counted.
 */
import { BlockworkError } from '../errors.js';
import { lruCache } from '../lru-cache.js';
import type { Ids } from '../ports/index.js';
import { equalTo, everything, jsonBytes } from '../records/index.js';
import type { Condition, DocumentRecord, DocumentUsageRecord } from '../records/index.js';
import type { UnitOfWork } from '../transactions/index.js';

/** `Infinity` disables a quota. */
export interface DocumentQuotas {
  readonly policyDocuments: number;
  readonly policyBytes: number;
  readonly userDocuments: number;
  readonly userBytes: number;
}

const POLICY = 'policy';
const BATCH = 500;
/** Maximum number of policies cached as having no counts. */
const UNCOUNTED_AT_MOST = 10_000;

interface Amount {
  readonly documents: number;
  readonly bytes: number;
}

export class DocumentUsage {
  readonly #isCounting: boolean;
  readonly #uncounted = lruCache<true>(UNCOUNTED_AT_MOST);

  constructor(
    private readonly quotas: DocumentQuotas,
    private readonly ids: Ids,
  ) {
    const { policyDocuments, policyBytes, userDocuments, userBytes } = quotas;
    this.#isCounting = [policyDocuments, policyBytes, userDocuments, userBytes].some(Number.isFinite);
  }

  /** Called before a document is put or deleted; `null` stands for its absence. Throws `QUOTA_EXCEEDED`. */
  async change(
    unit: UnitOfWork,
    policyId: string,
    before: DocumentRecord | null,
    after: DocumentRecord | null,
  ): Promise<void> {
    if (!this.#isCounting) return this.#deleteCounts(unit, policyId);
    const policy = await this.#ofPolicy(unit, policyId);
    const removed = amountOf(before);
    const added = amountOf(after);
    const { policyDocuments, policyBytes, userDocuments, userBytes } = this.quotas;
    const changed = [this.#changed(policyId, policy, [removed, added], [policyDocuments, policyBytes])];
    const owners = new Set([before?.owner, after?.owner].filter((owner) => owner !== undefined));
    for (const owner of owners) {
      const usage = await this.#ofUser(unit, policyId, owner, policy.generation);
      const change = [before?.owner === owner ? removed : nothing, after?.owner === owner ? added : nothing] as const;
      changed.push(this.#changed(policyId, usage, change, [userDocuments, userBytes]));
    }
    // Written last, since the caller may catch a refusal.
    for (const usage of changed) unit.put('document-usage', policyId, usage);
  }

  /** Deletes the counts: without updates they would be wrong once quotas are enabled again. */
  async #deleteCounts(unit: UnitOfWork, policyId: string): Promise<void> {
    if (this.#uncounted.has(policyId)) return;
    const isCounted = (await unit.get('document-usage', policyId, POLICY)) !== undefined;
    if (isCounted) unit.delete('document-usage', policyId, POLICY);
    else this.#uncounted.set(policyId, true);
  }

  #changed(
    policyId: string,
    usage: DocumentUsageRecord,
    [removed, added]: readonly [Amount, Amount],
    [documentsAtMost, bytesAtMost]: readonly [number, number],
  ): DocumentUsageRecord {
    const documents = usage.documents - removed.documents + added.documents;
    const bytes = usage.bytes - removed.bytes + added.bytes;
    if (documents > documentsAtMost && documents > usage.documents) {
      throw this.#exceeded(policyId, usage, `${documentsAtMost} documents`);
    }
    if (bytes > bytesAtMost && bytes > usage.bytes) throw this.#exceeded(policyId, usage, `${bytesAtMost} bytes`);
    return { ...usage, documents, bytes };
  }

  #exceeded(policyId: string, { id }: DocumentUsageRecord, quota: string): BlockworkError {
    const whose = id === POLICY ? 'The policy' : `The user ${id.slice(USER.length)}`;
    return new BlockworkError('QUOTA_EXCEEDED', { facts: { policyId, whose, quota } });
  }

  async #ofPolicy(unit: UnitOfWork, policyId: string): Promise<DocumentUsageRecord> {
    const usage = await unit.get('document-usage', policyId, POLICY);
    if (usage !== undefined) return usage;
    const counted = await count(unit, policyId, everything);
    return { id: POLICY, ...counted, generation: this.ids.uuid() };
  }

  async #ofUser(unit: UnitOfWork, policyId: string, did: string, generation: string): Promise<DocumentUsageRecord> {
    const id = `${USER}${did}`;
    const usage = await unit.get('document-usage', policyId, id);
    if (usage?.generation === generation) return usage;
    return { id, ...(await count(unit, policyId, equalTo('owner', did))), generation };
  }
}

const USER = 'user/';
const nothing: Amount = { documents: 0, bytes: 0 };

const amountOf = (document: DocumentRecord | null): Amount =>
  document === null ? nothing : { documents: 1, bytes: jsonBytes(document) };

async function count(unit: UnitOfWork, policyId: string, where: Condition): Promise<Amount> {
  let documents = 0;
  let bytes = 0;
  for (let count = BATCH; count === BATCH;) {
    const batch = await unit.find('document', policyId, { where, offset: documents, limit: BATCH });
    for (const document of batch) bytes += jsonBytes(document);
    count = batch.length;
    documents += count;
  }
  return { documents, bytes };
}
