/** Handlers of the routes that change the status of a policy and report on it. */
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okList } from './replies.js';

export const lifecycleHandlers: HandlersOf<RoutesOf<'Lifecycle'>> = {
  replacePolicyFile: async ({ engine, caller, params, body }) =>
    ok(await engine.lifecycle.replace(caller, params.policyId, body)),
  deletePolicy: async ({ engine, caller, params }) =>
    ok({ removed: await engine.lifecycle.delete(caller, params.policyId) }),
  dryRunPolicy: async ({ engine, caller, params }) => ok(await engine.lifecycle.dryRun(caller, params.policyId)),
  draftPolicy: async ({ engine, caller, params }) => ok(await engine.lifecycle.draft(caller, params.policyId)),
  publishPolicy: async ({ engine, caller, params, body }) =>
    ok(await engine.lifecycle.publish(caller, params.policyId, body.policyVersion)),
  discontinuePolicy: async ({ engine, caller, params, body }) =>
    ok(await engine.lifecycle.discontinue(caller, params.policyId, body.date)),
  makeNextVersion: async ({ engine, caller, params }) => ({
    status: 201,
    body: await engine.lifecycle.nextVersion(caller, params.policyId),
  }),
  listVersions: async ({ engine, caller, params }) => okList(await engine.lifecycle.versions(caller, params.policyId)),
  listChanges: async ({ engine, caller, params, query }) =>
    okList(await engine.lifecycle.changes(caller, params.policyId, query.since)),
  listFindings: async ({ engine, caller, params }) => okList(await engine.getFindings(caller, params.policyId)),
};
