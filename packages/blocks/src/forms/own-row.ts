/** The first row of a form's own document sources, from which it is prefilled. */
import type { DocumentRow, ReadContext } from '@blockwork/core/block';
import { ownSources } from '../common/own-sources.js';

export async function firstOwnRow(ctx: ReadContext): Promise<DocumentRow | undefined> {
  const sources = await ownSources(ctx);
  if (sources.length === 0) return undefined;
  const [row] = await ctx.documents.rows({ sources }, { limit: 1 });
  const source = ctx.children.find(({ block }) => block.tag === row?.__sourceTag__);
  return row === undefined || source === undefined ? row : (await source.enrich([row]))[0];
}
