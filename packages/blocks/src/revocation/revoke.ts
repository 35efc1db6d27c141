/** Revokes one document: the ledger messages to publish, and the resulting documents. */
import { isObject, type DocumentInput, type RunContext } from '@blockwork/core/block';
import { asRevoked, lastComment } from '../common/revoked.js';
import { documentsWithMessages } from './documents-with-messages.js';
import { revocableMessages, type RevocableMessage } from './revocable-messages.js';

/**
 * Announces the revocation and returns the revoked documents, the given one first, without storing them. An unpublished
 * document is revoked alone. Rejects a document that is already revoked.
 */
export async function revoke(ctx: RunContext, document: DocumentInput): Promise<DocumentInput[]> {
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
