/** Handlers of the routes that look into a policy: its documents, schemas, tokens and timers. */
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okList, okPage, rangeOf } from './replies.js';

export const documentHandlers: HandlersOf<RoutesOf<'Documents'>> = {
  listDocuments: async ({ engine, caller, params, query: { pageIndex, pageSize, ...filter } }) =>
    okPage(await engine.documents.list(caller, params.policyId, { ...filter, ...rangeOf({ pageIndex, pageSize }) })),
  getDocument: async ({ engine, caller, params: { policyId, documentId } }) =>
    ok(await engine.documents.get(caller, policyId, documentId)),
  getTrustChain: async ({ engine, caller, params: { policyId, documentId } }) =>
    ok(await engine.documents.trustChain(caller, policyId, documentId)),
  getDerivation: async ({ engine, caller, params: { policyId, documentId } }) =>
    ok(await engine.documents.derivation(caller, policyId, documentId)),
  getDocumentBundle: async ({ engine, caller, params: { policyId, documentId } }) =>
    ok(await engine.documents.bundle(caller, policyId, documentId)),
  listSchemas: async ({ engine, caller, params }) => okList(await engine.schemas.list(caller, params.policyId)),
  getSchema: async ({ engine, caller, params: { policyId, iri } }) =>
    ok(await engine.schemas.get(caller, policyId, iri)),
};

export const tokenHandlers: HandlersOf<RoutesOf<'Tokens'>> = {
  getToken: async ({ engine, caller, params: { policyId, tokenId } }) =>
    ok(await engine.tokens.get(caller, policyId, tokenId)),
  listBalances: async ({ engine, caller, params: { policyId, tokenId }, query }) =>
    okPage(await engine.tokens.balances(caller, policyId, tokenId, rangeOf(query))),
  getMintBundle: async ({ engine, caller, params: { policyId, documentId } }) =>
    ok(await engine.tokens.bundle(caller, policyId, documentId)),
  listLedger: async ({ engine, caller, params, query: { pageIndex, pageSize, ...filter } }) =>
    okPage(await engine.tokens.effects(caller, params.policyId, { ...filter, ...rangeOf({ pageIndex, pageSize }) })),
};

export const waitingHandlers: HandlersOf<RoutesOf<'Waiting'>> = {
  listWaiting: async ({ engine, caller, params, query }) =>
    okPage(await engine.waiting.list(caller, params.policyId, rangeOf(query))),
};

export const timerHandlers: HandlersOf<RoutesOf<'Timers'>> = {
  listTimers: async ({ engine, caller, params, query }) =>
    okPage(await engine.timers.list(caller, params.policyId, rangeOf(query))),
  runTimer: async ({ engine, caller, params: { policyId, tag } }) => {
    await engine.timers.run(caller, policyId, tag);
    return ok({});
  },
};
