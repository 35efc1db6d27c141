/** Handlers of the routes by which schemas go to a workbook and come back. */
import { BlockworkError } from '@blockwork/core';
import type { ImportPlan, SheetFinding } from '@blockwork/spreadsheet';
import type { Call, HandlersOf, RoutesOf } from './call.js';
import { edited, revisionOf } from './editing.js';
import { ok } from './replies.js';
import { orRefused, spreadsheet, workbookFile, workbookLimits } from './spreadsheet.js';

export const workbookHandlers: HandlersOf<RoutesOf<'Workbooks'>> = {
  exportSchemas: async ({ engine, caller, params: { policyId } }) => {
    const { definition } = await engine.editing.read(caller, policyId);
    const { exportSchemas } = await spreadsheet();
    return workbookFile(policyId, () => exportSchemas(definition.schemas));
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
  const { planImport } = await spreadsheet();
  return { revision, plan: await orRefused(() => planImport(body, definition.schemas, { limits: workbookLimits })) };
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
