/** The choices of a dropdown: a name and a value from each document of the block's sources (reference engine, section 7.11). */
import { valueAt, type Json, type ReadContext } from '@blockwork/core/block';
import { ownSources } from '../common/own-sources.js';

export type Choice = Readonly<Record<'name' | 'value', Json>>;

const CHOICES_AT_MOST = 10_000;

/** Without repeated values; documents without a value are left out. */
export async function choicesOf(ctx: ReadContext, paths: Record<'name' | 'value', string>): Promise<Choice[]> {
  const sources = await ownSources(ctx);
  const choices = new Map<unknown, Choice>();
  for (const row of await ctx.documents.rows({ sources }, { limit: CHOICES_AT_MOST })) {
    const value = valueAt(row, paths.value);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const name = valueAt(row, paths.name) as Json | undefined;
    if (!choices.has(value)) choices.set(value, { name: name ?? null, value });
  }
  return [...choices.values()];
}
