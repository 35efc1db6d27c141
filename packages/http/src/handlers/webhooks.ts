/** Handlers of the routes about the webhooks of a policy. */
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okList, okPage, rangeOf } from './replies.js';

export const webhookHandlers: HandlersOf<RoutesOf<'Webhooks'>> = {
  listWebhooks: async ({ engine, caller, params }) => okList(await engine.webhooks.list(caller, params.policyId)),
  registerWebhook: async ({ engine, caller, params, body }) => ({
    status: 201,
    body: await engine.webhooks.register(caller, params.policyId, body),
  }),
  removeWebhook: async ({ engine, caller, params }) => {
    await engine.webhooks.remove(caller, params.policyId, params.webhookId);
    return ok({});
  },
  listDeadLetters: async ({ engine, caller, params, query }) => {
    const range = rangeOf({ pageIndex: query.pageIndex ?? 0, pageSize: query.pageSize });
    return okPage(await engine.webhooks.deadLetters(caller, params.policyId, params.webhookId, range));
  },
  resendWebhook: async ({ engine, caller, params }) =>
    ok(await engine.webhooks.resend(caller, params.policyId, params.webhookId)),
};
