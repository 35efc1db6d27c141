/** The first row of a form's own document sources: what it is filled with beforehand. */
import type { DocumentRow, ReadContext } from '@blockwork/core/block';

export async function firstOwnRow(ctx: ReadContext): Promise<DocumentRow | undefined> {
  for (const child of ctx.children) {
    if (child.kind !== 'source' || child.block.options === null) continue;
    if ((await child.availability()).outcome !== 'allowed') continue;
    const selection = await child.select();
    if (selection === undefined) continue;
    const [row] = await ctx.documents.rows(selection, { limit: 1 });
    if (row !== undefined) return row;
  }
  return undefined;
}
