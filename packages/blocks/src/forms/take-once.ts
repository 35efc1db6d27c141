/** Credentials from outside count once, however their JSON is written. */
import type { JsonObject, RunContext } from '@blockwork/core/block';

/**
 * `new` the first time. Then `again`, or `other` for one with the same id, type, issuer and date that says something else; neither
 * changes anything. For credentials that were verified.
 */
export async function takeOnce(ctx: RunContext, credential: JsonObject): Promise<'new' | 'again' | 'other'> {
  const content = await ctx.credentials.signedHash(credential);
  const [named, signed] = [ctx.credentials.hash(credential), `signed/${content}`];
  const before = await ctx.entries.get(named);
  if (before !== undefined) return before.value === content ? 'again' : 'other';
  if ((await ctx.entries.get(signed)) !== undefined) return 'again';
  for (const id of [named, signed]) await ctx.entries.put({ id, key: ctx.user.did, value: content });
  return 'new';
}
