/** One route as a middleware: authenticates, checks the permission and the request, and answers. */
import { BlockworkError } from '@blockwork/core';
import type { Caller, PolicyEngine } from '@blockwork/core';
import type { RouterContext } from '@koa/router';
import { sendFailure, sendReply } from '../answer/send.js';
import type { Reply } from '../answer/send.js';
import type { Route } from '@blockwork/contract';
import { bodyReader } from '../request/body.js';
import { readParams } from '../request/read-params.js';
import { readQuery } from '../request/read-query.js';
import { requestIdOf } from '../request/request-id.js';
import type { ResolvedOptions } from './router-options.js';

/** A call that was checked against its route at run time. */
interface UntypedCall {
  readonly engine: PolicyEngine;
  readonly caller: Caller;
  readonly params: Record<string, string>;
  readonly query: unknown;
  readonly body: unknown;
}
export type UntypedHandler = (call: UntypedCall) => Promise<Reply>;

export type Endpoint = (ctx: RouterContext) => Promise<void>;

export function endpoint(
  engine: PolicyEngine,
  route: Route,
  handle: UntypedHandler,
  options: ResolvedOptions,
): Endpoint {
  const parameters = Object.entries(route.params);
  const readBody = bodyReader(route.body, options);
  return async (ctx) => {
    const requestId = requestIdOf(ctx, options.ids);
    try {
      const caller = await options.authenticate(ctx);
      assertPermitted(engine, caller, route);
      const params = readParams(parameters, ctx);
      const query = readQuery(route.query, ctx.querystring);
      const body = readBody === null ? undefined : await readBody(ctx);
      sendReply(ctx, await handle({ engine, caller, params, query, body }), requestId);
    } catch (error) {
      sendFailure(ctx, error, requestId, options);
    }
  };
}

/** Rejects before reading the body, so that unauthorized requests stay cheap. The engine checks again. */
function assertPermitted(engine: PolicyEngine, caller: Caller, { permission, orPermission }: Route): void {
  if (permission === null || engine.permits(caller, permission)) return;
  if (orPermission !== undefined && engine.permits(caller, orPermission)) return;
  throw new BlockworkError('PERMISSION_DENIED', { facts: { permission } });
}
