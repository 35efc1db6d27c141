/** Handlers of the routes about whole policies. */
import { policyOpenApiDocument } from '@blockwork/contract';
import { ZIP } from '@blockwork/contract/file-types';
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okList, okPage, rangeOf } from './replies.js';

export const policyHandlers: HandlersOf<RoutesOf<'Policies'>> = {
  listPolicies: async ({ engine, caller, query }) => okPage(await engine.listPolicies(caller, rangeOf(query))),
  importPolicyFile: async ({ engine, caller, body }) => ({
    status: 201,
    body: await engine.importPolicy(caller, body),
  }),
  importPublishedPolicy: async ({ engine, caller, body }) => {
    const { file } = await engine.ledger.published(caller, body.messageId);
    return { status: 201, body: await engine.importPolicy(caller, file) };
  },
  getPolicy: async ({ engine, caller, params }) => ok(await engine.getPolicy(caller, params.policyId)),
  exportPolicyFile: async ({ engine, caller, params }) => {
    const content = await engine.exportPolicy(caller, params.policyId);
    return { status: 200, file: { name: `${params.policyId}.policy`, type: ZIP, content } };
  },
  getPolicyOpenApi: async ({ engine, prefix, caller, params: { policyId } }) => {
    const described = await engine.getInterface(caller, policyId);
    return ok(policyOpenApiDocument(described, { prefix }));
  },
  listTokens: async ({ engine, caller, params }) => okList(await engine.listTokenIds(caller, params.policyId)),
  listGroups: async ({ engine, caller, params }) => okList(await engine.listGroups(caller, params.policyId)),
  switchGroup: async ({ engine, caller, params, body }) =>
    ok(await engine.switchGroup(caller, params.policyId, body.uuid)),
  getNavigation: async ({ engine, caller, params }) => okList(await engine.getNavigation(caller, params.policyId)),
};
