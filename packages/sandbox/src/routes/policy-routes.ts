/** Policies: lists, records and blocks in the reference's format, and status changes. */
import type { Caller, PolicyRecord, PolicyStatusChange } from '@blockwork/core';
import { z } from 'zod';
import { SandboxError } from '../errors.js';
import { blocksOf } from '../policies/block-index.js';
import { policiesOf, publicRow } from '../policies/policy-list.js';
import { asReference, referenceErrors } from '../policies/status-change.js';
import { checked } from '../requests/body.js';
import { callerOf } from '../requests/person.js';
import { ok, page, type SandboxCall, type SandboxRoute } from '../requests/route.js';
import { asTask, type RouteDeps } from './route-deps.js';

const publication = z.looseObject({ policyVersion: z.string().max(100) });
const discontinuation = z.looseObject({ date: z.string().max(100).nullish() });

export function policyRoutes(deps: RouteDeps): SandboxRoute[] {
  const { engine, trials } = deps;
  const { lifecycle } = engine;
  /** Starting or ending a trial removes its virtual users. */
  const change =
    (to: (caller: Caller, policyId: string, call: SandboxCall) => Promise<PolicyStatusChange>) =>
    async (call: SandboxCall): Promise<PolicyStatusChange> => {
      const { policyId = '' } = call.params;
      const changed = await to(callerOf(await call.person()), policyId, call);
      if (changed.isValid) trials.forget(policyId);
      return changed;
    };
  const publish = change((caller, policyId, { body }) =>
    lifecycle.publish(caller, policyId, checked(body, publication).policyVersion),
  );
  const toDryRun = change((caller, policyId) => lifecycle.dryRun(caller, policyId));
  const toDraft = change((caller, policyId) => lifecycle.draft(caller, policyId));
  const discontinue = change((caller, policyId, { body }) =>
    lifecycle.discontinue(caller, policyId, checked(body, discontinuation).date ?? undefined),
  );
  const put = (path: string, handle: SandboxRoute['handle']): SandboxRoute => ({
    ...{ method: 'PUT', path, body: 'data', handle },
  });
  return [
    { method: 'GET', path: '/policies', handle: (call) => listPolicies(deps, call) },
    {
      method: 'GET',
      path: '/policies/{policyId}',
      handle: async (call) => {
        const { policyId = '' } = call.params;
        const caller = callerOf(await call.person());
        return ok(publicRow(await asActing(deps, caller, await engine.getPolicy(caller, policyId))));
      },
    },
    put('/policies/{policyId}/dry-run', async (call) => ok(asReference(await toDryRun(call)))),
    put('/policies/{policyId}/draft', async (call) => ok(asReference(await toDraft(call)))),
    put('/policies/{policyId}/publish', async (call) => ok(asReference(await publish(call)))),
    put('/policies/{policyId}/discontinue', async (call) => {
      await discontinue(call);
      return listPolicies(deps, call);
    }),
    put('/policies/push/{policyId}/publish', (call) =>
      asTask(deps, call, 'Publish policy', async () => {
        const { policy, isValid, findings } = await publish(call);
        return { policyId: policy.id, isValid, errors: referenceErrors(findings) };
      }),
    ),
    {
      method: 'GET',
      path: '/policies/{policyId}/blocks/{uuid}/parents',
      handle: async (call) => {
        const { policyId = '', uuid = '' } = call.params;
        const caller = callerOf(await call.person());
        const block = (await blocksOf(engine, caller, policyId)).find(({ id }) => id === uuid);
        if (block === undefined) throw new SandboxError('BLOCK_UNKNOWN', { block: uuid, policyId });
        return ok(block.path);
      },
    },
  ];
}

async function listPolicies(deps: RouteDeps, call: SandboxCall): Promise<ReturnType<typeof page>> {
  const { caller } = await call.person();
  // As in the reference, users without a DID see no policies.
  const policies = caller === null ? [] : await policiesOf(deps.engine, caller);
  const { body, ...reply } = page(policies, call.query);
  const shown = body as PolicyRecord[];
  const rows = caller === null ? [] : shown.map(async (each) => publicRow(await asActing(deps, caller, each)));
  return { ...reply, body: await Promise.all(rows) };
}

/** In a trial the owner sees the roles and groups of the virtual user who is active. */
async function asActing({ engine, trials }: RouteDeps, caller: Caller, policy: PolicyRecord): Promise<PolicyRecord> {
  const acting = policy.status === 'DRY-RUN' ? trials.activeFor(policy.id, caller) : undefined;
  if (acting === undefined) return policy;
  const { userGroup: _userGroup, ...rest } = policy;
  const { userRole, userRoles, userGroup, userGroups = [] } = await engine.getPolicy(acting, policy.id);
  return { ...rest, userRole, userRoles, userGroups, ...(userGroup && { userGroup }) };
}
