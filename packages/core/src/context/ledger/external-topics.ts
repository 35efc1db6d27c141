/** Topics of other policies of the same owner, from the books in this store. */
import { INSTANCE, statusIs } from '../../records/index.js';
import type { DocumentRecord, LedgerMessage, PolicyStatus } from '../../records/index.js';
import type { ExternalMessage, ExternalTopic } from '../../block-api/index.js';
import type { RecordReader } from '../../transactions/index.js';

/** Maximum number of an owner's policies searched for a topic or stream. */
export const POLICIES_AT_MOST = 1_000;

/** A published policy sees only what published policies did, since trial data is discarded. */
export const canSee = (reader: PolicyStatus, other: PolicyStatus): boolean =>
  !statusIs(reader, 'published') || statusIs(other, 'published');

/** `undefined` if no other policy of `policyId`'s owner that this one can see has the topic. */
export async function externalTopic(
  records: RecordReader,
  policyId: string,
  topicId: string,
): Promise<ExternalTopic | undefined> {
  const reader = await records.get('policy', INSTANCE, policyId);
  if (reader === undefined) return undefined;
  const where = { path: 'owner', op: 'eq', value: reader.owner } as const;
  for (const other of await records.find('policy', INSTANCE, { where, limit: POLICIES_AT_MOST })) {
    if (other.id === policyId || !canSee(reader.status, other.status)) continue;
    const topic = await records.get('ledger-topic', other.id, topicId);
    if (topic === undefined) continue;
    const { id, name, version, messageId, description } = other;
    const schemas = await records.find('schema', id);
    return {
      topic,
      topics: await records.find('ledger-topic', id),
      policy: { id, name, description, version, messageId },
      schemas,
    };
  }
  return undefined;
}

export interface MessageRange {
  /** A message id, or empty. */
  readonly after: string;
  readonly limit: number;
}

/** Oldest first. Revoked messages have no document. */
export async function externalMessages(
  records: RecordReader,
  { policy, topic }: ExternalTopic,
  { after, limit }: MessageRange,
): Promise<ExternalMessage[]> {
  const messages = await records.find('ledger-message', policy.id, {
    where: {
      all: [
        { path: 'topicId', op: 'eq', value: topic.id },
        { path: 'id', op: 'gt', value: after },
      ],
    },
    order: { path: 'id', direction: 'asc' },
    limit,
  });
  const ids = messages.map(({ id }) => id);
  const [documents, revoked] = await Promise.all([
    records.find('document', policy.id, { where: { path: 'messageId', op: 'in', value: ids } }),
    revokedAmong(records, policy.id, ids),
  ]);
  return messages.map((message) => ({ message, document: documentOfMessage(message, documents, revoked) }));
}

/** The document a message refers to, unless it was revoked. */
export function documentOfMessage(
  { id, hash }: Pick<LedgerMessage, 'id' | 'hash'>,
  documents: readonly DocumentRecord[],
  revoked: ReadonlySet<unknown>,
): DocumentRecord | null {
  if (revoked.has(id)) return null;
  // A reissued document is not the one the message refers to.
  return documents.find((document) => document.messageId === id && document.hash === hash) ?? null;
}

export async function revokedAmong(
  records: RecordReader,
  policyId: string,
  ids: readonly string[],
): Promise<ReadonlySet<unknown>> {
  const where = {
    all: [
      { path: 'type', op: 'eq', value: 'revoke' },
      { path: 'body.revoke', op: 'in', value: [...ids] },
    ],
  } as const;
  const revocations = await records.find('ledger-message', policyId, { where });
  return new Set(
    revocations.map(({ body }) => (typeof body === 'object' && body !== null && 'revoke' in body ? body.revoke : null)),
  );
}
