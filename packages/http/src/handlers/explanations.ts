/** Handlers of the explanation routes. */
import type { HandlersOf, RoutesOf } from './call.js';
import { ok } from './replies.js';

export const explanationHandlers: HandlersOf<RoutesOf<'Explanations'>> = {
  explainBlock: async ({ engine, caller, params: { policyId, uuid }, query }) =>
    ok(await engine.explanations.block(caller, policyId, { uuid }, query)),
  explainDocument: async ({ engine, caller, params: { policyId, uuid, documentId }, query }) =>
    ok(await engine.explanations.document(caller, policyId, { uuid }, documentId, query)),
};
