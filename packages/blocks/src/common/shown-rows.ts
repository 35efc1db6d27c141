/** Whether a user sees a document at a place of the policy: what clients may point at. */
import { allOf, type BlockNode, type DocumentRow, type ReadContext } from '@blockwork/core/block';

/** The row, if the block shows it to the user and is open to them, with all that holds it. */
export async function shownBy(
  ctx: ReadContext,
  block: BlockNode,
  documentId: string,
): Promise<DocumentRow | undefined> {
  if (block.options === null || !(await isReachable(ctx, block))) return undefined;
  const selection = await ctx.blockHandle(block).select();
  if (selection === undefined) return undefined;
  const sources = selection.sources.map((source) => ({
    ...source,
    where: allOf({ path: 'id', op: 'eq', value: documentId }, source.where),
  }));
  const [row] = await ctx.documents.rows({ sources }, { limit: 1 });
  return row;
}

async function isReachable(ctx: ReadContext, block: BlockNode): Promise<boolean> {
  for (let each: BlockNode | null = block; each !== null; each = each.parent) {
    if ((await ctx.blockHandle(each).availability()).outcome !== 'allowed') return false;
  }
  return true;
}
