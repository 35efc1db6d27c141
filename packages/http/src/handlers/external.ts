/** Handlers of the routes for data from outside a policy. */
import type { HandlersOf, RoutesOf } from './call.js';
import { ok } from './replies.js';

export const externalHandlers: HandlersOf<RoutesOf<'External data'>> = {
  sendExternalData: async ({ engine, caller, body, idempotencyKey, traceparent }) => {
    await engine.submitExternal(caller, body, { idempotencyKey, traceparent });
    return ok(true);
  },
  sendExternalDataToBlock: async ({ engine, caller, params, body, idempotencyKey, traceparent }) => {
    await engine.submitExternal(caller, body, { ...params, idempotencyKey, traceparent });
    return ok(true);
  },
};
