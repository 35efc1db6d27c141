/** Handlers of the routes by which schemas go to a workbook and come back, or come from a ledger. */
import { XLSX } from '@blockwork/contract/file-types';
import type { ImportPlan } from '@blockwork/spreadsheet';
import type { Call, HandlersOf, RoutesOf } from './call.js';
import { edited, revisionOf } from './editing.js';
import { ok } from './replies.js';
import { assertUsable, plannedImport, schemaWorkbook, spreadsheet } from './spreadsheet.js';
import type { Reply } from '../answer/reply.js';

export const workbookHandlers: HandlersOf<RoutesOf<'Workbooks'>> = {
  exportSchemas: async ({ engine, caller, params: { policyId } }) => {
    const { definition } = await engine.editing.read(caller, policyId);
    const content = await schemaWorkbook(definition.schemas);
    return { status: 200, file: { name: `${policyId}.xlsx`, type: XLSX, content } };
  },
  previewSchemas: async (call) => {
    const { revision, plan } = await planned(call);
    const { schemas, findings } = plan;
    return { ...ok({ revision, schemas, findings }), revision };
  },
  importSchemas: async (call) => {
    const { revision, plan } = await planned(call);
    assertUsable(plan);
    return applied(call, revision, plan);
  },
  importPublishedSchema: async (call) => {
    const { engine, caller, params, body } = call;
    // Whoever may not edit the draft has nothing read.
    const { revision, definition } = await engine.editing.read(caller, params.policyId);
    const schema = await engine.ledger.publishedSchema(caller, body.messageId);
    const { planSchemas } = await spreadsheet();
    return applied(call, revision, planSchemas([schema], definition.schemas));
  },
};

async function applied(
  { engine, caller, params, ifMatch }: Call<'importSchemas'> | Call<'importPublishedSchema'>,
  revision: number,
  { schemas, findings, operations }: ImportPlan,
): Promise<Reply> {
  const condition = { ifMatch: revisionOf(ifMatch) ?? revision };
  const answer =
    operations.length === 0
      ? { revision, edit: null }
      : await engine.editing.edit(caller, params.policyId, operations, condition);
  return { ...edited(answer), body: { ...answer, schemas, findings } };
}

async function planned({
  engine,
  caller,
  params,
  body,
}: Call<'previewSchemas'> | Call<'importSchemas'>): Promise<{ revision: number; plan: ImportPlan }> {
  const { revision, definition } = await engine.editing.read(caller, params.policyId);
  return { revision, plan: await plannedImport(body, definition.schemas) };
}
