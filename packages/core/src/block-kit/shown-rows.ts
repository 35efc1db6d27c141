/** Whether a user sees a document at a block: a client may point at a document only where it is shown. */
import type { DocumentRow, ReadContext } from '../block-api/index.js';
import type { BlockNode } from '../policy/index.js';
import { allOf } from '../records/index.js';
import { columnsOpening } from './grid-columns.js';

/** The row, where the block shows it to the user and is open to them together with all its ancestors. */
export async function rowShownBy(
  ctx: ReadContext,
  block: BlockNode,
  documentId: string,
): Promise<DocumentRow | undefined> {
  return (await isReachable(ctx, block)) ? selectedRow(ctx, block, documentId) : undefined;
}

/**
 * The row, from the first place where the user sees it at `ctx.block`: its own document sources, the block that holds it, or
 * a grid that opens it in a column. For blocks, `ctx.offered` is this.
 */
export async function offeredRow(ctx: ReadContext, documentId: string): Promise<DocumentRow | undefined> {
  for (const child of ctx.children) {
    if (child.kind !== 'source' || (await child.availability()).outcome !== 'allowed') continue;
    const row = await selectedRow(ctx, child.block, documentId);
    if (row !== undefined) return row;
  }
  for (const grid of gridsOffering(ctx)) {
    const row = await rowShownBy(ctx, grid, documentId);
    if (row !== undefined) return row;
  }
  return undefined;
}

async function selectedRow(ctx: ReadContext, block: BlockNode, documentId: string): Promise<DocumentRow | undefined> {
  const selection = block.options === null ? undefined : await ctx.blockHandle(block).select();
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

const gridsOffering = (ctx: ReadContext): ReadonlySet<BlockNode> =>
  new Set([...(ctx.block.parent === null ? [] : [ctx.block.parent]), ...columnsOpening(ctx).map(({ grid }) => grid)]);
