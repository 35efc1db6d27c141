/** Handlers of the routes for data from outside a policy. */
import type { HandlersOf, RoutesOf } from './call.js';
import { ok } from './replies.js';

export const externalHandlers: HandlersOf<RoutesOf<'External data'>> = {
  sendExternalData: async ({ engine, caller, body }) => {
    await engine.submitExternal(caller, body);
    return ok(true);
  },
  sendExternalDataToBlock: async ({ engine, caller, params, body }) => {
    await engine.submitExternal(caller, body, params);
    return ok(true);
  },
};
