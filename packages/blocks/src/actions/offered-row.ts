/** The stored document that a client names, if the user sees it where the block is opened. */
import {
  columnsOpening,
  isObject,
  offeredRow as shownRow,
  pastRow,
  rowShownBy,
  type DocumentRecord,
  type DocumentRow,
  type Json,
  type RunContext,
  type WantedDocument,
} from '@blockwork/core/block';
import { statedStatus } from '../common/document-status.js';

/**
 * Clients post whole rows, of which only the id is used. Fails with `ALREADY_DECIDED` if the block offered the document to
 * this user before, and with `DOCUMENT_UNKNOWN` if it never did or the document does not exist.
 */
export async function offeredRow(ctx: RunContext, posted: Json): Promise<DocumentRecord> {
  const id = isObject(posted) ? posted.id : posted;
  if (typeof id !== 'string' || id === '') {
    return ctx.fail('INPUT_INVALID', {
      facts: { reason: `Block "${ctx.block.tag}" needs the document of a row.` },
      details: [{ path: '/document', message: 'has no id' }],
    });
  }
  const row = (await rowOf(ctx, id)) ?? (await notOffered(ctx, id));
  const { __sourceTag__: _source, ...document } = row;
  return document;
}

async function notOffered(ctx: RunContext, documentId: string): Promise<never> {
  const document = await ctx.documents.get(documentId);
  const wasOffered =
    document !== undefined && (await pastRow(ctx, document, (wanted) => rowOf(ctx, wanted))) !== undefined;
  if (!wasOffered) return ctx.fail('DOCUMENT_UNKNOWN', { facts: { documentId } });
  return ctx.fail('ALREADY_DECIDED', { facts: { documentId, status: statedStatus(document) } });
}

async function rowOf(ctx: RunContext, id: WantedDocument): Promise<DocumentRow | undefined> {
  const row = await shownRow(ctx, id);
  const columns = columnsOpening(ctx);
  if (row === undefined || columns.length === 0) {
    // Documents that the block itself lists are choices, not rows to choose for.
    const isChoice = ctx.children.some(({ block }) => block.tag === row?.__sourceTag__);
    if (!isChoice) return row;
    return ctx.block.parent === null ? undefined : rowShownBy(ctx, ctx.block.parent, id);
  }
  for (const { grid, source } of columns) {
    const shown = await rowShownBy(ctx, grid, id);
    if (shown === undefined) continue;
    if (source === null || (await rowShownBy(ctx, source, id)) !== undefined) return shown;
  }
  return undefined;
}
