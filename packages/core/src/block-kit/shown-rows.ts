/** Whether a user sees a document at a block: a client may point at a document only where it is shown. */
import type { DocumentRow, DocumentSource, ReadContext } from '../block-api/index.js';
import type { BlockNode } from '../policy/index.js';
import { equalTo, allOf, matches, type DocumentRecord } from '../records/index.js';
import { columnsOpening } from './grid-columns.js';

/** A stored document by its id; or a document as it would be shown if it were stored like this. */
export type WantedDocument = string | DocumentRecord;

/** The row, where the block shows it to the user and is open to them together with all its ancestors. */
export async function rowShownBy(
  ctx: ReadContext,
  block: BlockNode,
  wanted: WantedDocument,
): Promise<DocumentRow | undefined> {
  return (await isReachable(ctx, block)) ? selectedRow(ctx, block, wanted) : undefined;
}

/**
 * The row, from the first place where the user sees it at `ctx.block`: its own document sources, the block that holds it, or
 * a grid that opens it in a column. For blocks, `ctx.offered` is this.
 */
export async function offeredRow(ctx: ReadContext, wanted: WantedDocument): Promise<DocumentRow | undefined> {
  for (const child of ctx.children) {
    if (child.kind !== 'source' || (await child.availability()).outcome !== 'allowed') continue;
    const row = await selectedRow(ctx, child.block, wanted);
    if (row !== undefined) return row;
  }
  for (const grid of gridsOffering(ctx)) {
    const row = await rowShownBy(ctx, grid, wanted);
    if (row !== undefined) return row;
  }
  return undefined;
}

/**
 * The document as it was when the user last saw it at `ctx.block`, for one that is not shown there now: `option`, where the
 * status is, is all that is remembered of the past. `find` looks for a row as the block offers it.
 */
export async function pastRow(
  ctx: ReadContext,
  document: DocumentRecord,
  find: (wanted: WantedDocument) => Promise<DocumentRow | undefined> = (wanted) => offeredRow(ctx, wanted),
): Promise<DocumentRow | undefined> {
  for (const { option } of (await ctx.documents.history(document)).reverse()) {
    const row = await find({ ...document, option });
    if (row !== undefined) return row;
  }
  return undefined;
}

async function selectedRow(
  ctx: ReadContext,
  block: BlockNode,
  wanted: WantedDocument,
): Promise<DocumentRow | undefined> {
  const selection = block.options === null ? undefined : await ctx.blockHandle(block).select();
  if (selection === undefined) return undefined;
  return typeof wanted === 'string' ? storedRow(ctx, selection.sources, wanted) : rowIn(selection.sources, wanted);
}

async function storedRow(
  ctx: ReadContext,
  from: readonly DocumentSource[],
  documentId: string,
): Promise<DocumentRow | undefined> {
  const sources = from.map((source) => ({
    ...source,
    where: allOf(equalTo('id', documentId), source.where),
  }));
  const [row] = await ctx.documents.rows({ sources }, { limit: 1 });
  return row;
}

function rowIn(sources: readonly DocumentSource[], document: DocumentRecord): DocumentRow | undefined {
  const source = sources.find(({ where }) => matches(document, where));
  return source && { ...document, __sourceTag__: source.tag };
}

async function isReachable(ctx: ReadContext, block: BlockNode): Promise<boolean> {
  for (let each: BlockNode | null = block; each !== null; each = each.parent) {
    if ((await ctx.blockHandle(each).availability()).outcome !== 'allowed') return false;
  }
  return true;
}

const gridsOffering = (ctx: ReadContext): ReadonlySet<BlockNode> =>
  new Set([...(ctx.block.parent === null ? [] : [ctx.block.parent]), ...columnsOpening(ctx).map(({ grid }) => grid)]);
