/** What each route of the contract asks of the engine. */
import type { Caller, PolicyEngine } from '@blockwork/core';
import type { z } from 'zod';
import type { Reply } from './answer/send.js';
import type { BodyOf, Contract, ParamsOf, QueryOf, RouteName } from './contract/index.js';
import { requestHandlers, send } from './request-handlers.js';

export interface Call<Name extends RouteName> {
  readonly engine: PolicyEngine;
  readonly caller: Caller;
  readonly params: ParamsOf<Contract[Name]>;
  readonly query: QueryOf<Contract[Name]>;
  readonly body: BodyOf<Contract[Name]>;
}

type Handler<Name extends RouteName> = (call: Call<Name>) => Promise<Reply>;

export type HandlersOf<Name extends RouteName> = { readonly [Each in Name]: Handler<Each> };

/** `health` is answered by the server itself, since no caller stands behind it. */
export type EngineRoute = Exclude<RouteName, 'health'>;

export const handlers: { readonly [Name in EngineRoute]: Handler<Name> } = {
  listPolicies: async ({ engine, caller, query }) => {
    const { items, total } = await engine.listPolicies(caller, rangeOf(query));
    return { status: 200, body: items, total };
  },
  importPolicyFile: async ({ engine, caller, body }) => ({
    status: 201,
    body: await engine.importPolicy(caller, body),
  }),
  getPolicy: async ({ engine, caller, params }) => ok(await engine.getPolicy(caller, params.policyId)),
  listTokens: async ({ engine, caller, params }) => list(await engine.tokens(caller, params.policyId)),
  listGroups: async ({ engine, caller, params }) => list(await engine.groups(caller, params.policyId)),
  switchGroup: async ({ engine, caller, params, body }) =>
    ok(await engine.switchGroup(caller, params.policyId, body.uuid)),
  getNavigation: async ({ engine, caller, params }) => list(await engine.navigation(caller, params.policyId)),
  readRoot: async ({ engine, caller, params, query }) =>
    text(await engine.readRootText(caller, params.policyId, query)),
  readBlock: async ({ engine, caller, params, query }) =>
    text(await engine.readBlockText(caller, params.policyId, { uuid: params.uuid }, query)),
  sendToBlock: (call) => send(call, { uuid: call.params.uuid }),
  getBlockId: async ({ engine, caller, params }) => ok(await engine.blockId(caller, params.policyId, params.tag)),
  readBlockByTag: async ({ engine, caller, params, query }) =>
    text(await engine.readBlockText(caller, params.policyId, { tag: params.tag }, query)),
  sendToBlockByTag: (call) => send(call, { tag: call.params.tag }),
  dryRunPolicy: async ({ engine, caller, params }) => ok(await engine.lifecycle.dryRun(caller, params.policyId)),
  draftPolicy: async ({ engine, caller, params }) => ok(await engine.lifecycle.draft(caller, params.policyId)),
  publishPolicy: async ({ engine, caller, params, body }) =>
    ok(await engine.lifecycle.publish(caller, params.policyId, body.policyVersion)),
  discontinuePolicy: async ({ engine, caller, params, body }) =>
    ok(await engine.lifecycle.discontinue(caller, params.policyId, body.date)),
  listFindings: async ({ engine, caller, params }) => list(await engine.findings(caller, params.policyId)),
  readJournal: async ({ engine, caller, params, query }) => {
    const { items, total } = await engine.journal(caller, params.policyId, rangeOf(query));
    return { status: 200, body: items, total };
  },
  sendExternalData: async ({ engine, caller, body }) => {
    await engine.external(caller, body);
    return ok(true);
  },
  sendExternalDataToBlock: async ({ engine, caller, params, body }) => {
    await engine.external(caller, body, params);
    return ok(true);
  },
  ...requestHandlers,
};

const ok = (body: unknown): Reply => ({ status: 200, body });
const text = (json: string): Reply => ({ status: 200, text: json });
const list = (items: readonly unknown[]): Reply => ({ status: 200, body: items, total: items.length });

type PolicyPage = z.output<Contract['listPolicies']['query']['schema']>;

function rangeOf({ pageIndex, pageSize }: PolicyPage): { offset: number; limit: number } | undefined {
  if (pageIndex === undefined && pageSize === undefined) return undefined;
  const limit = pageSize ?? 100;
  return { offset: (pageIndex ?? 0) * limit, limit };
}
