/** `revokeBlock`: revokes a document and everything that depends on it (reference engine, section 7.18). */
import {
  allOf,
  defineBlock,
  documentsIn,
  finding,
  RELEASE,
  RUN,
  tolerant,
  type Condition,
  type DocumentInput,
  type DocumentRecord,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { asRevoked, lastComment, REVOKED } from '../common/revoked.js';

const options = z.object({
  uiMetaData: z
    .looseObject({
      /** Reset the status of the source document, so that it can be decided again. */
      updatePrevDoc: tolerant.flag,
      prevDocStatus: tolerant.text,
    })
    .nullish()
    .transform((value) => value ?? { updatePrevDoc: false, prevDocStatus: '' }),
});
type Options = z.infer<typeof options>;

export const revokeBlock = defineBlock({
  type: 'revokeBlock',
  title: 'Revoke',
  description:
    'Revokes a document and every document of the policy that depends on it, and announces this on the ledger.',
  kind: 'server',
  outputs: [RELEASE],
  options,
  on: {
    /** Emits the revoked documents, the given ones first; a later block stores them. */
    async RunEvent(ctx, { data }) {
      const documents = documentsIn(data);
      if (documents.length === 0) {
        ctx.fail('DOCUMENT_MISSING');
      }
      const revoked = new Map<string, DocumentInput>();
      for (const document of documents) {
        await ctx.budget.giveWay();
        for (const each of await revokedWith(ctx, document)) {
          const key = each.id ?? each.hash ?? ctx.credentials.hash(each.document);
          if (!revoked.has(key)) revoked.set(key, each);
        }
        await returnPrevious(ctx, document);
      }
      ctx.emit(RUN, [...revoked.values()]);
      ctx.emit(RELEASE);
    },
  },

  check(node, { uiMetaData: { updatePrevDoc, prevDocStatus } }) {
    if (!updatePrevDoc || prevDocStatus !== '') return [];
    const message = `"${node.tag}" is to change the previous document, but prevDocStatus does not say to what.`;
    return [finding(node, { message, path: '/uiMetaData/prevDocStatus' })];
  },
});

async function returnPrevious(ctx: RunContext<Options>, { relationships = [] }: DocumentInput): Promise<void> {
  const { updatePrevDoc, prevDocStatus } = ctx.options.uiMetaData;
  if (!updatePrevDoc || prevDocStatus === '') return;
  const previous = (await withMessages(ctx, relationships)).at(-1);
  if (previous === undefined) return;
  await ctx.documents.update({ ...previous, option: { ...previous.option, status: prevDocStatus } });
}

/**
 * An unpublished document has no dependents. Already revoked documents are left as they are, so that no revocation is
 * announced twice.
 */
async function revokedWith(ctx: RunContext<Options>, document: DocumentInput): Promise<DocumentInput[]> {
  const { messageId } = document;
  const reason = lastComment(document);
  if (typeof messageId !== 'string' || messageId === '') return [asRevoked(document, reason)];
  const messages = [messageId, ...(await standing(ctx, messageId))];
  const rows = await withMessages(ctx, messages);
  const done = new Set(rows.filter(isRevoked).map((row) => row.messageId));
  if (done.has(messageId)) ctx.fail('ALREADY_REVOKED', { facts: { documentId: document.id ?? messageId } });
  await announce(
    ctx,
    messages.filter((message) => !done.has(message)),
    reason,
  );
  const missed = rows.filter((row) => !done.has(row.messageId));
  const own = missed.filter((row) => row.messageId === messageId);
  const others = missed.filter((row) => row.messageId !== messageId);
  return [...(own.length === 0 ? [document] : own), ...others].map((each) => asRevoked(each, reason));
}

const isRevoked = ({ option }: DocumentRecord): boolean => option.status === REVOKED;

const standing = async (ctx: RunContext<Options>, messageId: string): Promise<string[]> =>
  (await ctx.ledger.descendants(messageId)).filter(({ type }) => type !== 'revoke').map(({ id }) => id);

/** Each message gets its own revocation message, which names the message that started the cascade. */
async function announce(
  ctx: RunContext<Options>,
  [first, ...others]: readonly string[],
  reason: string,
): Promise<void> {
  const say = async (messageId: string, parents: string[]): Promise<void> => {
    const body = { revoke: messageId, parents, reason };
    await ctx.ledger.publish({ topic: 'root', type: 'revoke', owner: ctx.user.did, body });
  };
  if (first === undefined) return;
  await say(first, []);
  for (const other of others) {
    await ctx.budget.giveWay();
    await say(other, [first]);
  }
}

/** Rows of this policy that the messages represent, approvals excluded. */
async function withMessages(ctx: RunContext<Options>, messages: readonly string[]): Promise<DocumentRecord[]> {
  if (messages.length === 0) return [];
  const where: Condition = allOf(
    { path: 'messageId', op: 'in', value: messages },
    { path: 'dataType', op: 'ne', value: 'approve' },
  );
  return ctx.documents.find(where);
}
