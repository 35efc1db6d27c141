/** Policies: lists, records and blocks in the reference's format, and status changes. */
import type { Caller, PolicyStatusChange } from '@blockwork/core';
import { z } from 'zod';
import { SandboxError } from '../errors.js';
import { blocksOf } from '../policies/block-index.js';
import { listedPolicies, newestFirst, publicRow } from '../policies/policy-list.js';
import { asReference, referenceErrors } from '../policies/status-change.js';
import { checked, ok, page, type SandboxCall, type SandboxReply, type SandboxRoute } from '../requests/endpoint.js';
import { callerOf } from '../requests/person.js';
import { allRows, asActing, rowsOf } from './policy-rows.js';
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
      if (changed.isValid) await trials.forget(policyId);
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
  const answered = async (call: SandboxCall, changed: PolicyStatusChange): Promise<SandboxReply> =>
    ok(asReference(changed, await allRows(deps, await call.person())));
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
    put('/policies/{policyId}/dry-run', async (call) => answered(call, await toDryRun(call))),
    put('/policies/{policyId}/draft', async (call) => answered(call, await toDraft(call))),
    put('/policies/{policyId}/publish', async (call) => answered(call, await publish(call))),
    put('/policies/{policyId}/discontinue', async (call) => {
      await discontinue(call);
      return ok(await allRows(deps, await call.person()));
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

/** Without a DID the list is empty, as in the reference. */
async function listPolicies(deps: RouteDeps, { person: of, query }: SandboxCall): Promise<SandboxReply> {
  const person = await of();
  const { body, ...reply } = page(newestFirst(await listedPolicies(deps.engine, person)), query);
  return { ...reply, body: await rowsOf(deps, person, body) };
}
