/** `revocationBlock`: revokes documents and all their dependents; a later block stores the result. */
import {
  allOf,
  defineBlock,
  type DocumentCollection,
  type DocumentInput,
  type DocumentRecord,
  documentsIn,
  finding,
  isObject,
  type LedgerMessage,
  type ReadContext,
  RELEASE,
  RUN,
  type RunContext,
  tolerant,
} from '@blockwork/core/block';
import { z } from 'zod';
import { asRevoked, lastComment } from '../common/revoked.js';

const { flag, text } = tolerant;

const options = z.object({
  /** Reset the source document to its earlier status, so that it can be decided again. */
  updatePrevDoc: flag,
  prevDocStatus: text,
});
type Context = RunContext<z.infer<typeof options>>;

export const revocationBlock = defineBlock({
  type: 'revocationBlock',
  title: 'Revocation',
  description:
    'Revokes documents and all their dependents in the policy, and announces this on the ledger. A later block stores them.',
  kind: 'server',
  children: 'none',
  outputs: [RELEASE],
  options,
  check: (node, { updatePrevDoc, prevDocStatus }) =>
    updatePrevDoc && prevDocStatus === ''
      ? [
          finding(node, {
            path: '/prevDocStatus',
            message: `"${node.tag}" changes the previous document, but prevDocStatus does not say to what.`,
          }),
        ]
      : [],
  on: {
    async RunEvent(ctx, { data }) {
      const documents = documentsIn(data);
      if (documents.length === 0) {
        ctx.fail('DOCUMENT_MISSING');
      }
      const revoked = new Map<string, DocumentInput>();
      for (const document of documents) {
        await ctx.budget.giveWay();
        const key = keyOf(ctx, document);
        if (!revoked.has(key)) for (const each of await revoke(ctx, document)) revoked.set(keyOf(ctx, each), each);
        await returnPrevious(ctx, document);
      }
      ctx.emit(RUN, [...revoked.values()]);
      ctx.emit(RELEASE);
    },
  },
});

const keyOf = (ctx: Context, { id, hash, document }: DocumentInput): string =>
  id ?? hash ?? ctx.credentials.hash(document);

async function returnPrevious(ctx: Context, { relationships = [] }: DocumentInput): Promise<void> {
  const { updatePrevDoc, prevDocStatus } = ctx.options;
  if (!updatePrevDoc) return;
  const previous = (await documentsWithMessages(ctx, relationships)).at(-1);
  if (previous === undefined) return;
  await ctx.documents.update({ ...previous, option: { ...previous.option, status: prevDocStatus } });
}

/**
 * Announces the revocation and returns the revoked documents, the given one first, without storing them. An unpublished
 * document is revoked alone. Rejects a document that is already revoked.
 */
async function revoke(ctx: RunContext, document: DocumentInput): Promise<DocumentInput[]> {
  const { messageId } = document;
  const reason = lastComment(document);
  if (typeof messageId !== 'string' || messageId === '') return [asRevoked(document, reason)];
  const messages = await revocableMessages(ctx, messageId);
  if (messages[0]?.id !== messageId) ctx.fail('ALREADY_REVOKED', { facts: { documentId: document.id ?? messageId } });
  for (const message of messages) {
    await ctx.budget.giveWay();
    await announce(ctx, message, reason);
  }
  const rows = await documentsWithMessages(
    ctx,
    messages.map(({ id }) => id),
  );
  const own = rows.filter((row) => row.messageId === messageId);
  const others = rows.filter((row) => row.messageId !== messageId);
  return [...(own.length === 0 ? [document] : own), ...others].map((row) => asRevoked(row, reason));
}

/** In the topic of the message that is revoked; one that is not in the book was never in any. */
async function announce(ctx: RunContext, { id, message, parents }: RevocableMessage, reason: string): Promise<void> {
  await ctx.ledger.publish({
    topic: message === undefined ? 'root' : { id: message.topicId },
    type: 'revoke',
    owner: ctx.user.did,
    body: {
      id: isObject(message?.body) ? (message.body.id ?? null) : null,
      status: 'REVOKE',
      action: 'revoke-document',
      type: message?.type ?? null,
      revoke: id,
      revokeMessage: reason,
      reason: parents.length === 0 ? 'Document Revoked' : 'Parent Revoked',
      parentIds: parents,
    },
  });
}

interface RevocableMessage {
  readonly id: string;
  /** `undefined` for a message that is not in the policy's log, such as that of an imported document. */
  readonly message: LedgerMessage | undefined;
  /** The messages among them that it references; empty for the first. */
  readonly parents: string[];
}

/** The message itself, then its dependents, oldest first, without those already revoked. */
async function revocableMessages(ctx: ReadContext, messageId: string): Promise<RevocableMessage[]> {
  const descendants = (await ctx.ledger.descendants(messageId)).filter(({ type }) => type !== 'revoke');
  const members = new Set([messageId, ...descendants.map(({ id }) => id)]);
  const revoked = await revokedMessages(ctx, members);
  const root = { id: messageId, message: await ctx.ledger.message(messageId), parents: [] };
  const others = descendants.map((message) => ({
    id: message.id,
    message,
    parents: message.relationships.filter((parent) => members.has(parent)),
  }));
  return [root, ...others].filter(({ id }) => !revoked.has(id));
}

/** The subset of messages that are already revoked. */
async function revokedMessages(ctx: ReadContext, members: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const revocations = await ctx.ledger.messages({
    all: [
      { path: 'type', op: 'eq', value: 'revoke' },
      { path: 'body.revoke', op: 'in', value: [...members] },
    ],
  });
  return new Set(
    revocations.flatMap(({ body }) => (isObject(body) && typeof body.revoke === 'string' ? body.revoke : [])),
  );
}

const ranks: Readonly<Record<DocumentCollection, number>> = {
  'vc-documents': 0,
  'vp-documents': 1,
  'did-documents': 2,
  approve: 3,
};

/** Of this policy: credentials, then presentations, then identity documents, each in the order of their messages. */
async function documentsWithMessages(ctx: ReadContext, messages: readonly string[]): Promise<DocumentRecord[]> {
  if (messages.length === 0) return [];
  const documents = await ctx.documents.find(
    allOf({ path: 'messageId', op: 'in', value: [...messages] }, { path: 'dataType', op: 'ne', value: 'approve' }),
  );
  return documents.sort(
    (a, b) => ranks[a.dataType] - ranks[b.dataType] || compare(a.messageId ?? '', b.messageId ?? ''),
  );
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
