/** Handlers of the routes of workbooks. What reads and writes them is loaded with the first. */
import { XLSX } from '@blockwork/contract/file-types';
import { BlockworkError } from '@blockwork/core';
import type { ImportPlan, SheetFinding } from '@blockwork/spreadsheet';
import type { Call, HandlersOf, RoutesOf } from './call.js';
import { edited, revisionOf } from './editing.js';
import { ok } from './replies.js';

/** Lower than what the package itself reads, since a server does other work as well. */
const limits = { fileBytes: 8 * 1024 * 1024, totalBytes: 24 * 1024 * 1024, cells: 200_000, rows: 20_000 } as const;

export const workbookHandlers: HandlersOf<RoutesOf<'Workbooks'>> = {
  exportSchemas: async ({ engine, caller, params: { policyId } }) => {
    const { definition } = await engine.editing.read(caller, policyId);
    const { exportSchemas, writeWorkbook } = await import('@blockwork/spreadsheet');
    const content = await orRefused(() => writeWorkbook(exportSchemas(definition.schemas)));
    return { status: 200, file: { name: `${policyId}.xlsx`, type: XLSX, content } };
  },
  previewSchemas: async (call) => {
    const { revision, plan } = await planned(call);
    const { schemas, findings } = plan;
    return { ...ok({ revision, schemas, findings }), revision };
  },
  importSchemas: async (call) => {
    const { engine, caller, params, ifMatch } = call;
    const { revision, plan } = await planned(call);
    const { schemas, findings, operations } = plan;
    assertUsable(findings);
    const seen = { ifMatch: revisionOf(ifMatch) ?? revision };
    const answer =
      operations.length === 0
        ? { revision, edit: null }
        : await engine.editing.edit(caller, params.policyId, operations, seen);
    return { ...edited(answer), body: { ...answer, schemas, findings } };
  },
};

async function planned({
  engine,
  caller,
  params,
  body,
}: Call<'previewSchemas'> | Call<'importSchemas'>): Promise<{ revision: number; plan: ImportPlan }> {
  const { revision, definition } = await engine.editing.read(caller, params.policyId);
  const { planImport } = await import('@blockwork/spreadsheet');
  return { revision, plan: await orRefused(() => planImport(body, definition.schemas, { limits })) };
}

function assertUsable(findings: readonly SheetFinding[]): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const details = errors.map(({ sheet, cell, message }) => ({
    path: cell === undefined ? sheet : `${sheet}!${cell}`,
    message,
  }));
  const reason = `Nothing was imported: ${String(errors.length)} cells of the workbook have errors. Correct them, and send it again.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details });
}

/** Failures of the package as those of files. */
async function orRefused<Result>(work: () => Result): Promise<Result> {
  const { WorkbookError } = await import('@blockwork/spreadsheet');
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof WorkbookError)) throw cause;
    const reason = cause.message.replace(/\.$/, '').replace(/^The /, 'the ');
    throw new BlockworkError(cause.code === 'WORKBOOK_INVALID' ? 'POLICY_FILE_INVALID' : 'POLICY_FILE_TOO_LARGE', {
      facts: { reason },
      cause,
    });
  }
}
