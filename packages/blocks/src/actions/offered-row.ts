/** The stored document that a client names, if the user sees it where the block is opened. */
import {
  columnsOpening,
  isObject,
  rowShownBy,
  type DocumentRecord,
  type DocumentRow,
  type Json,
  type RunContext,
} from '@blockwork/core/block';

/**
 * Clients post whole rows, of which only the id is used. Fails with `DOCUMENT_UNKNOWN` where the document does not exist,
 * is not shown to this user, or its row lacks the column of this block.
 */
export async function offeredRow(ctx: RunContext, posted: Json): Promise<DocumentRecord> {
  const id = isObject(posted) ? posted.id : posted;
  if (typeof id !== 'string' || id === '') {
    return ctx.fail('INPUT_INVALID', {
      facts: { reason: `Block "${ctx.block.tag}" needs the document of a row.` },
      details: [{ path: '/document', message: 'has no id' }],
    });
  }
  const row = await rowOf(ctx, id);
  if (row === undefined) return ctx.fail('DOCUMENT_UNKNOWN', { facts: { documentId: id } });
  const { __sourceTag__: _source, ...document } = row;
  return document;
}

async function rowOf(ctx: RunContext, id: string): Promise<DocumentRow | undefined> {
  const row = await ctx.offered(id);
  const columns = columnsOpening(ctx);
  if (row === undefined || columns.length === 0) {
    // Documents that the block itself lists are choices, not rows to choose for.
    const isChoice = ctx.children.some(({ block }) => block.tag === row?.__sourceTag__);
    return isChoice ? undefined : row;
  }
  for (const { grid, source } of columns) {
    const shown = await rowShownBy(ctx, grid, id);
    if (shown === undefined) continue;
    if (source === null || (await rowShownBy(ctx, source, id)) !== undefined) return shown;
  }
  return undefined;
}
