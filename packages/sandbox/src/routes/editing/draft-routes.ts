/** Drafts that clients begin and delete; their content comes from imports. */
import { z } from 'zod';
import { checked, created, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import { allRows } from '../policy-rows.js';
import { asTask, type RouteDeps } from '../route-deps.js';

const part = z.unknown().optional();
/** The identity of the policy is not the client's to choose. */
const beginning = z.object({
  name: z.string().min(1).max(500),
  description: z.string().max(10_000).optional(),
  topicDescription: z.string().max(10_000).optional(),
  policyTag: z.string().max(200).optional(),
  ...{ policyRoles: part, policyGroups: part, policyNavigation: part, policyTopics: part, policyTokens: part },
  ...{ categories: part, projectSchema: part },
  config: z.record(z.string(), z.unknown()).nullish(),
});

/** What the editor of the reference begins with. */
const emptyRoot = { blockType: 'interfaceContainerBlock', permissions: ['ANY_ROLE'], defaultActive: true };

export function draftRoutes(deps: RouteDeps): SandboxRoute[] {
  return [
    {
      method: 'POST',
      path: '/policies',
      body: 'data',
      handle: async (call) => {
        await begun(deps, call);
        return created(await allRows(deps, await call.person()));
      },
    },
    {
      method: 'POST',
      path: '/policies/push',
      body: 'data',
      handle: (call) => asTask(deps, call, 'Create policy', () => begun(deps, call)),
    },
    {
      method: 'DELETE',
      path: '/policies/push/{policyId}',
      handle: (call) => asTask(deps, call, 'Delete policy', () => deleted(deps, call)),
    },
  ];
}

/** Resolves with the id of the draft. */
async function begun({ engine }: RouteDeps, { body, person }: SandboxCall): Promise<string> {
  const { config, ...facts } = checked(body, beginning);
  const { policy } = await engine.importPolicy(callerOf(await person()), { ...facts, config: config ?? emptyRoot });
  return policy.id;
}

async function deleted({ engine, trials }: RouteDeps, { params, person }: SandboxCall): Promise<true> {
  const { policyId = '' } = params;
  await engine.lifecycle.delete(callerOf(await person()), policyId);
  await trials.forget(policyId);
  return true;
}
