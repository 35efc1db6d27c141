/** The transitive references of a message, with the documents that the messages represent. */
import { type DocumentRecord, type LedgerMessage, type ReadContext } from '@blockwork/core/block';

/** Maximum number of messages in a report. The most distant ones are omitted. */
export const MESSAGES_AT_MOST = 2_000;

export interface MessageChain {
  /** Oldest first. */
  readonly messages: readonly LedgerMessage[];
  /** By message. */
  readonly documents: ReadonlyMap<string, DocumentRecord>;
  /** Some messages were omitted. */
  readonly truncated: boolean;
}

/** `undefined` if the policy's message log has no such message. One store query per level of distance. */
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
