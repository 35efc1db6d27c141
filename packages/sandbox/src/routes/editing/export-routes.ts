/** A policy as a message and as a workbook, and schemas from a workbook into a draft. */
import { assertUsable, plannedImport } from '@blockwork/http';
import { checkedQuery, created, ok, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import { schemasAsWorkbook, sheetErrors } from '../../sheets.js';
import { allRows } from '../policy-rows.js';
import { asTask, type RouteDeps } from '../route-deps.js';

export const exportRoutes = (deps: RouteDeps): SandboxRoute[] => [
  {
    method: 'GET',
    path: '/policies/{policyId}/export/message',
    handle: async ({ params, person }) => {
      const caller = callerOf(await person());
      // Only its owner exports a policy, also as the message that announces it.
      await deps.engine.editing.read(caller, params['policyId'] ?? '');
      const policy = await deps.engine.getPolicy(caller, params['policyId'] ?? '');
      const { id, name, description, version, messageId, owner } = policy;
      return ok({ id, name, description, version, messageId, owner });
    },
  },
  {
    method: 'GET',
    path: '/policies/{policyId}/export/xlsx',
    handle: async ({ params, person }) => {
      const { policyId = '' } = params;
      const { definition } = await deps.engine.editing.read(callerOf(await person()), policyId);
      return schemasAsWorkbook(definition.name, definition.schemas);
    },
  },
  {
    method: 'POST',
    path: '/policies/import/xlsx/preview',
    body: 'file',
    handle: async (call) => {
      const plan = await plannedImport(call.body as Uint8Array, await schemasOf(deps, call));
      return ok({ schemas: plan.schemas, tools: [], errors: sheetErrors(plan) });
    },
  },
  {
    method: 'POST',
    path: '/policies/import/xlsx',
    body: 'file',
    handle: async (call) => {
      await imported(deps, call);
      return created(await allRows(deps, await call.person()));
    },
  },
  {
    method: 'POST',
    path: '/policies/push/import/xlsx',
    body: 'file',
    handle: (call) => asTask(deps, call, 'Import policy file', () => imported(deps, call)),
  },
];

/** None for a preview that names no policy. */
async function schemasOf({ engine }: RouteDeps, { query, person }: SandboxCall): Promise<readonly unknown[]> {
  const caller = callerOf(await person());
  const policyId = query.get('policyId');
  return policyId === undefined ? [] : (await engine.editing.read(caller, policyId)).definition.schemas;
}

async function imported({ engine }: RouteDeps, { body, query, person }: SandboxCall): Promise<object> {
  const caller = callerOf(await person());
  const policyId = checkedQuery(query, 'policyId');
  const { revision, definition } = await engine.editing.read(caller, policyId);
  const plan = await plannedImport(body as Uint8Array, definition.schemas);
  assertUsable(plan);
  if (plan.operations.length > 0) await engine.editing.edit(caller, policyId, plan.operations, { ifMatch: revision });
  return { policyId, errors: sheetErrors(plan) };
}
