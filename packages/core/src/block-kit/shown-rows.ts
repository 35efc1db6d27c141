/** Whether a user sees a document at a block: clients may refer to a document only where it is shown to them. */
import type { DocumentRow, DocumentSource, ReadContext } from '../block-api/index.js';
import type { BlockNode } from '../policy/index.js';
import { equalTo, allOf, matches, type DocumentRecord } from '../records/index.js';
import { columnsOpening } from './grid-columns.js';

/** A stored document's id, or a document to be tested as if it were stored in this state. */
export type WantedDocument = string | DocumentRecord;

/** The row, if the block shows it to the user and the block and all its ancestors are open to them. */
export async function rowShownBy(
  ctx: ReadContext,
  block: BlockNode,
  wanted: WantedDocument,
): Promise<DocumentRow | undefined> {
  return (await isReachable(ctx, block)) ? selectedRow(ctx, block, wanted) : undefined;
}

/**
 * The row from the first place the user sees it for `ctx.block`: the block's own document sources, its container, or a
 * grid that opens it from a column. Blocks use it as `ctx.offered`.
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
 * The document as the user last saw it at `ctx.block`, if it is no longer shown there. Only `option`, which holds the
 * status, is kept in the history. `find` looks up a row offered by the block.
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
