/** The messages to revoke together with one: all its dependents that are not revoked yet. */
import { isObject, type LedgerMessage, type ReadContext } from '@blockwork/core/block';

export interface RevocableMessage {
  readonly id: string;
  /** `undefined` for a message that is not in the policy's log, such as that of an imported document. */
  readonly message: LedgerMessage | undefined;
  /** The messages among them that it references; empty for the first. */
  readonly parents: string[];
}

/** The message itself, then its dependents, oldest first, without those already revoked. */
export async function revocableMessages(ctx: ReadContext, messageId: string): Promise<RevocableMessage[]> {
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
