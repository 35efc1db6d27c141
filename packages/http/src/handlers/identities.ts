/** Handlers of the routes about the keys of callers. */
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okPage, rangeOf } from './replies.js';

export const identityHandlers: HandlersOf<RoutesOf<'Identities'>> = {
  listKeys: async ({ engine, caller, query }) => okPage(await engine.identities.list(caller, rangeOf(query))),
  registerKey: async ({ engine, caller, body }) => ({
    status: 201,
    body: await engine.identities.register(caller, body),
  }),
  revokeKey: async ({ engine, caller, params }) => ok(await engine.identities.revoke(caller, params.key)),
  rotateKey: async ({ engine, caller, params, body }) => ok(await engine.identities.rotate(caller, params.key, body)),
  listRevokedTokens: async ({ engine, caller, query }) =>
    okPage(await engine.revokedTokens.list(caller, rangeOf(query))),
  revokeToken: async ({ engine, caller, body: { jti, exp, reason } }) => ({
    status: 201,
    body: await engine.revokedTokens.add(caller, { tokenId: jti, expiresAt: Math.floor(exp * 1000), reason }),
  }),
  getIdentityDocument: async ({ engine, caller, params }) =>
    ok(await engine.identities.getDocument(caller, params.did)),
};
