/** Publishing a document: a topic message that represents it (reference engine, section 7.7). */
import { valueAt, type DocumentInput, type RunContext } from '@blockwork/core/block';
import { kindOf, signerOf } from '../common/document-kind.js';

export interface Publishing {
  /** Name of one of the policy's topics; empty and `root` mean the policy's own topic. */
  readonly topic: string;
  /** `user`, `issuer`, `root` for the policy's owner; any other word means the document's owner. */
  readonly topicOwner: string;
  /** May contain `${path}` placeholders for values of the document. */
  readonly memo: string;
}

const LONGEST_MEMO = 500;

/** The document with its message. Does not store it. */
export async function publishDocument(
  ctx: RunContext,
  document: DocumentInput,
  { topic, topicOwner, memo }: Publishing,
): Promise<DocumentInput> {
  const kind = kindOf(document.document);
  const { owner, relationships, hash = ctx.credentials.hash(document.document) } = document;
  const { id = null } = document.document;
  const message = await ctx.ledger.publish({
    topic: topicNamed(ctx, topic),
    topicOwner: ownerOfTopic(ctx, document, topicOwner),
    type: `${kind}-document`,
    owner,
    hash,
    ...(relationships !== undefined && { relationships }),
    ...(memo !== '' && { memo: filled(memo, document) }),
    body: { id, issuer: signerOf(document.document) ?? null, type: document.type ?? null },
  });
  const state = kind === 'did' ? { status: 'CREATE' } : { hederaStatus: 'ISSUE' };
  return { ...document, ...state, hash, messageId: message.id, topicId: message.topicId };
}

function topicNamed(ctx: RunContext, topic: string): string {
  if (topic === '' || topic === 'root') return 'root';
  if (ctx.policy.topics.some(({ name }) => name === topic)) return topic;
  return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: `the policy has no topic "${topic}"` } });
}

function ownerOfTopic(ctx: RunContext, { owner, document }: DocumentInput, whose: string): string {
  switch (whose) {
    case 'user':
      return ctx.user.did;
    case 'issuer':
      return signerOf(document) ?? owner;
    case 'root':
      return ctx.policy.owner;
    default:
      return owner;
  }
}

const filled = (memo: string, document: DocumentInput): string =>
  memo
    .replace(/\$\{([^{}]*)\}/g, (_, path: string) => {
      const value = valueAt(document, path.trim());
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
    })
    .slice(0, LONGEST_MEMO);
