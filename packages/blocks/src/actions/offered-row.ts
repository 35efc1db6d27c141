/** The stored document that a client points at, if the user sees it where the block is opened. */
import { isObject, type DocumentRecord, type DocumentRow, type Json, type RunContext } from '@blockwork/core/block';
import { columnsOpening } from '../common/grid-columns.js';
import { shownBy } from '../common/shown-rows.js';

/**
 * Clients post whole rows; only the id is believed. Fails with `DOCUMENT_UNKNOWN` for a document that is not there, is not
 * shown to this user, or is not in a row that has the column of this block.
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
    // What the block itself lists is what can be chosen, not what it is chosen for.
    const isChoice = ctx.children.some(({ block }) => block.tag === row?.__sourceTag__);
    return isChoice ? undefined : row;
  }
  for (const { grid, source } of columns) {
    const shown = await shownBy(ctx, grid, id);
    if (shown === undefined) continue;
    if (source === null || (await shownBy(ctx, source, id)) !== undefined) return shown;
  }
  return undefined;
}
