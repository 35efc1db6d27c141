/** The interface as a middleware for anybody's Koa application. */
import type { PolicyEngine } from '@blockwork/core';
import type { Context, Middleware, Next } from 'koa';
import { sendFailure } from './answer/send.js';
import { TransportError } from './answer/transport-error.js';
import { contract } from './contract/index.js';
import { endpoint } from './endpoint.js';
import type { UntypedHandler } from './endpoint.js';
import { handlers } from './handlers.js';
import type { EngineRoute } from './handlers.js';
import { resolveOptions } from './options.js';
import type { ResolvedOptions, RouterOptions } from './options.js';
import { requestIdOf } from './request/request-id.js';
import { RouteTable } from './route-table.js';

export interface PolicyRouter {
  /** Where the routes begin, for instance `/api/v1`. */
  readonly prefix: string;
  /**
   * The middleware. It answers the routes of the contract, failures included, and leaves every other request to
   * what comes after it; a known path with another method it refuses only when nobody after it has answered.
   */
  routes(): Middleware;
}

/**
 * The HTTP interface of an engine, to be mounted in a Koa application.
 *
 * @example
 * app.use(createPolicyRouter(engine, { auth: { secret } }).routes());
 */
export function createPolicyRouter(engine: PolicyEngine, options: RouterOptions): PolicyRouter {
  const resolved = resolveOptions(options);
  const middleware = routesOf(engine, resolved);
  return { prefix: resolved.prefix, routes: () => middleware };
}

/** The middleware itself, for those who have resolved the options. */
export function routesOf(engine: PolicyEngine, options: ResolvedOptions): Middleware {
  const table = new RouteTable();
  for (const name of Object.keys(handlers) as EngineRoute[]) {
    const route = contract[name];
    table.add(
      route.method,
      options.prefix + route.path,
      endpoint(engine, route, handlers[name] as UntypedHandler, options),
    );
  }
  return (ctx: Context, next: Next): unknown => table.dispatch(ctx, () => leave(table, ctx, next, options));
}

/** No route fits path and method. Others may have one; if none has, and the path is ours, the method was wrong. */
async function leave(table: RouteTable, ctx: Context, next: Next, options: ResolvedOptions): Promise<void> {
  await next();
  if (ctx.status !== 404 || ctx.body != null) return;
  const allow = table.methodsAt(ctx.path).join(', ');
  if (allow === '') return;
  if (ctx.method === 'OPTIONS') {
    ctx.status = 204;
    ctx.set('Allow', allow);
    return;
  }
  const refusal = new TransportError('METHOD_NOT_ALLOWED', {
    facts: { method: ctx.method, allow },
    headers: { Allow: allow },
  });
  sendFailure(ctx, refusal, requestIdOf(ctx.req.headers['x-request-id'], options.ids), options);
}
