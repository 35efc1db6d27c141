/** Handlers of the routes for data from outside a policy. */
import type { HandlersOf, RoutesOf } from './call.js';
import { ok } from './replies.js';

export const externalHandlers: HandlersOf<RoutesOf<'External data'>> = {
  sendExternalData: async ({ engine, caller, body, idempotencyKey }) => {
    await engine.submitExternal(caller, body, { idempotencyKey });
    return ok(true);
  },
  sendExternalDataToBlock: async ({ engine, caller, params, body, idempotencyKey }) => {
    await engine.submitExternal(caller, body, { ...params, idempotencyKey });
    return ok(true);
  },
};
