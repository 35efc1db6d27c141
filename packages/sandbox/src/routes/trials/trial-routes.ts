/** Virtual users of a dry run. */
import { z } from 'zod';
import { checked, created, ok, type SandboxRoute } from '../../requests/endpoint.js';
import { allRows } from '../policy-rows.js';
import type { RouteDeps } from '../route-deps.js';
import { trialOf } from './own-trial.js';

const chosen = z.looseObject({ did: z.string().min(1).max(500) });

export function trialRoutes(deps: RouteDeps): SandboxRoute[] {
  const { engine, trials } = deps;
  const path = '/policies/{policyId}/dry-run';
  return [
    {
      method: 'GET',
      path: `${path}/users`,
      handle: async (call) => {
        const { policyId, owner } = await trialOf(deps, call);
        return ok(await trials.users(policyId, owner.did));
      },
    },
    {
      method: 'POST',
      path: `${path}/user`,
      body: 'data',
      handle: async (call) => {
        const { policyId, owner } = await trialOf(deps, call);
        return created(await trials.add(policyId, owner.did));
      },
    },
    {
      method: 'POST',
      path: `${path}/login`,
      body: 'data',
      handle: async (call) => {
        const { policyId, owner } = await trialOf(deps, call);
        return ok(await trials.login(policyId, owner.did, checked(call.body, chosen).did));
      },
    },
    {
      method: 'POST',
      path: `${path}/restart`,
      body: 'data',
      handle: async (call) => {
        const { policyId, owner } = await trialOf(deps, call);
        await engine.lifecycle.draft(owner, policyId);
        await engine.lifecycle.dryRun(owner, policyId);
        await trials.restart(policyId);
        return ok({ policies: await allRows(deps, await call.person()) });
      },
    },
  ];
}
