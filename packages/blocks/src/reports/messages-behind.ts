/** The messages that a message builds on, directly or through others, with the documents they stand for. */
import { type DocumentRecord, type LedgerMessage, type ReadContext } from '@blockwork/core/block';

/** Messages in one report. Beyond it, the furthest are left out. */
export const MESSAGES_AT_MOST = 2_000;

export interface MessageChain {
  /** Oldest first. */
  readonly messages: readonly LedgerMessage[];
  /** By message. */
  readonly documents: ReadonlyMap<string, DocumentRecord>;
  /** Some messages were left out. */
  readonly truncated: boolean;
}

/** `undefined` where the policy's book has no such message. One look at the store for each step away from it. */
export async function messagesBehind(ctx: ReadContext, messageId: string): Promise<MessageChain | undefined> {
  const found = new Map<string, LedgerMessage>();
  let wanted = [messageId];
  while (wanted.length > 0 && found.size < MESSAGES_AT_MOST) {
    const room = wanted.slice(0, MESSAGES_AT_MOST - found.size);
    const messages = await ctx.ledger.messages({ path: 'id', op: 'in', value: room });
    for (const message of messages) found.set(message.id, message);
    const next = new Set(messages.flatMap(({ relationships }) => relationships));
    wanted = [...wanted.slice(room.length), ...[...next].filter((id) => !found.has(id))];
  }
  if (!found.has(messageId)) return undefined;
  const messages = [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { messages, documents: await documentsOf(ctx, [...found.keys()]), truncated: wanted.length > 0 };
}

async function documentsOf(ctx: ReadContext, messageIds: readonly string[]): Promise<Map<string, DocumentRecord>> {
  const documents = await ctx.documents.find({ path: 'messageId', op: 'in', value: [...messageIds] });
  return new Map(documents.flatMap((document) => (document.messageId ? [[document.messageId, document]] : [])));
}
