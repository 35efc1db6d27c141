/** The row that an addon of a grid acts on, and the event that the grid sends for it. */
import { asJson, ROW_ACTION, type DocumentInput, type RunContext, type DocumentRecord } from '@blockwork/core/block';
import { offeredRow } from '../actions/offered-row.js';

/** The stored document with this id, where the user sees it in the grid; otherwise as `offeredRow` fails. */
export async function gridRow(ctx: RunContext, documentId: string): Promise<DocumentRecord> {
  assertInGrid(ctx);
  return offeredRow(ctx, documentId);
}

/** Links of such an addon begin at the grid, at the output with the addon's tag. */
export function sendFromGrid(ctx: RunContext, document: DocumentInput): void {
  const grid = assertInGrid(ctx);
  ctx.raise(grid, ROW_ACTION, { addon: ctx.block.tag, data: asJson(document) });
}

function assertInGrid(ctx: RunContext): NonNullable<RunContext['parent']>['block'] {
  const grid = ctx.parent?.block;
  if (grid?.blockType === GRID) return grid;
  return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: 'it is not attached to a grid' } });
}

const GRID = 'interfaceDocumentsSourceBlock';
