/** Handlers of the routes that look into a policy: its documents, schemas, tokens and timers. */
import type { PendingWorkAtBlock } from '@blockwork/core';
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okList, okPage, rangeOf } from './replies.js';

export const documentHandlers: HandlersOf<RoutesOf<'Documents'>> = {
  getOverview: async ({ engine, caller, params }) => ok(await engine.overview.get(caller, params.policyId)),
  listDocuments: async ({ engine, caller, params, query: { pageIndex, pageSize, ...filter } }) =>
    okPage(await engine.documents.list(caller, params.policyId, { ...filter, ...rangeOf({ pageIndex, pageSize }) })),
  getDocument: async ({ engine, caller, params: { policyId, documentId } }) =>
    ok(await engine.documents.get(caller, policyId, documentId)),
  getTrustChain: async ({ engine, caller, params: { policyId, documentId } }) =>
    ok(await engine.documents.trustChain(caller, policyId, documentId)),
  getDerivation: async ({ engine, caller, params: { policyId, documentId } }) =>
    ok(await engine.documents.derivation(caller, policyId, documentId)),
  getDocumentBundle: async ({ engine, caller, params: { policyId, documentId }, query }) =>
    ok(await engine.documents.bundle(caller, policyId, documentId, query)),
  listSchemas: async ({ engine, caller, params }) => okList(await engine.schemas.list(caller, params.policyId)),
  getSchema: async ({ engine, caller, params: { policyId, iri } }) =>
    ok(await engine.schemas.get(caller, policyId, iri)),
};

export const tokenHandlers: HandlersOf<RoutesOf<'Tokens'>> = {
  getToken: async ({ engine, caller, params: { policyId, tokenId } }) =>
    ok(await engine.tokens.get(caller, policyId, tokenId)),
  listBalances: async ({ engine, caller, params: { policyId, tokenId }, query }) =>
    okPage(await engine.tokens.balances(caller, policyId, tokenId, rangeOf(query))),
  getMintBundle: async ({ engine, caller, params: { policyId, documentId }, query }) =>
    ok(await engine.tokens.bundle(caller, policyId, documentId, query)),
  listLedger: async ({ engine, caller, params, query: { pageIndex, pageSize, ...filter } }) =>
    okPage(await engine.tokens.effects(caller, params.policyId, { ...filter, ...rangeOf({ pageIndex, pageSize }) })),
  compareLedger: async ({ engine, caller, params }) => ok(await engine.ledger.compare(caller, params.policyId)),
};

export const pendingWorkHandlers: HandlersOf<RoutesOf<'Pending work'>> = {
  listPendingWork: async ({ engine, caller, params, query }) =>
    okPage(await engine.pendingWork.list(caller, params.policyId, rangeOf(query))),
  listWaiting: async ({ engine, caller, params, query }) => {
    const { items, total } = await engine.pendingWork.list(caller, params.policyId, rangeOf(query));
    return okPage({ items: items.map(underFormerName), total });
  },
};

const underFormerName = ({ aggregation: gathered, ...others }: PendingWorkAtBlock) => ({
  ...others,
  ...(gathered !== undefined && { gathered }),
});

export const timerHandlers: HandlersOf<RoutesOf<'Timers'>> = {
  listTimers: async ({ engine, caller, params, query }) =>
    okPage(await engine.timers.list(caller, params.policyId, rangeOf(query))),
  runTimer: async ({ engine, caller, params: { policyId, tag } }) => {
    await engine.timers.run(caller, policyId, tag);
    return ok({});
  },
};
