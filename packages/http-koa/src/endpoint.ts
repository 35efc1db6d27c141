/** One route of the contract as a middleware: who asks, whether they may, what they ask, and the answer. */
import { BlockworkError } from '@blockwork/core';
import type { Caller, PolicyEngine } from '@blockwork/core';
import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { sendFailure, sendReply } from './answer/send.js';
import type { Reply } from './answer/send.js';
import type { Route } from './contract/index.js';
import type { ResolvedOptions } from './options.js';
import { readBytes } from './request/bytes-body.js';
import { jsonBodyReader } from './request/json-body.js';
import { readOptional } from './request/optional-body.js';
import { readParams } from './request/read-params.js';
import { readQuery } from './request/read-query.js';
import { requestIdOf } from './request/request-id.js';

/** A call whose parts have been checked against the route, and lost their types on the way. */
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
  const readBody = bodyReader(route, options);
  return async (ctx) => {
    const requestId = requestIdOf(ctx.req.headers['x-request-id'], options.ids);
    try {
      const caller = await options.authenticate(ctx);
      demand(engine, caller, route);
      const params = readParams(parameters, ctx);
      const query = readQuery(route.query, ctx.querystring);
      const body = readBody === null ? undefined : await readBody(ctx);
      sendReply(ctx, await handle({ engine, caller, params, query, body }), requestId);
    } catch (error) {
      sendFailure(ctx, error, requestId, options);
    }
  };
}

/** Before the body is read: who may not ask shall not make the server work. The engine decides again. */
function demand(engine: PolicyEngine, caller: Caller, { permission, orPermission }: Route): void {
  if (permission === null || engine.permits(caller, permission)) return;
  if (orPermission !== undefined && engine.permits(caller, orPermission)) return;
  throw new BlockworkError('PERMISSION_DENIED', { facts: { permission } });
}

function bodyReader({ body }: Route, options: ResolvedOptions): ((ctx: Context) => Promise<unknown>) | null {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json': {
      const read = jsonBodyReader(options.bodyLimit);
      const schema = body.checkedBy === 'engine' ? null : body.schema;
      const isOptional =
        body.optional === 'always' || (body.optional === 'approveWithoutBody' && options.approveWithoutBody);
      return isOptional ? (ctx) => readOptional(ctx, schema, read) : (ctx) => read(ctx, schema);
    }
    case 'bytes':
      return (ctx) => readBytes(ctx, body.types, options.policyFileLimit);
  }
}
