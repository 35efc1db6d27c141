/** The HTTP interface as a middleware for a Koa application. */
import type { PolicyEngine } from '@blockwork/core';
import { checkOptions } from '@blockwork/core/adapter';
import type { Context, Middleware, Next } from 'koa';
import { sendFailure } from '../answer/send.js';
import { TransportError } from '../answer/transport-error.js';
import { contract } from '@blockwork/contract';
import { handlers } from '../handlers/index.js';
import type { EngineRoute } from '../handlers/index.js';
import { requestIdOf } from '../request/request-id.js';
import { endpoint } from './endpoint.js';
import type { UntypedHandler } from './endpoint.js';
import { RouteTable } from './route-table.js';
import { resolveOptions, routerOptionShape } from './router-options.js';
import type { ResolvedOptions, RouterOptions } from './router-options.js';

export interface PolicyRouter {
  /** The path before every route, for instance `/api/v1`. */
  readonly prefix: string;
  /**
   * Answers the routes of the contract, failures included, and passes every other request on. Another method on a
   * known path gets 405 only if no later middleware has answered it.
   */
  routes(): Middleware;
}

/**
 * The HTTP interface of an engine, to be mounted in a Koa application. Throws `OPTION_INVALID`.
 *
 * @example
 * app.use(createPolicyRouter(engine, { auth: { secret } }).routes());
 */
export function createPolicyRouter(engine: PolicyEngine, options: RouterOptions): PolicyRouter {
  checkOptions(options, routerOptionShape);
  const resolved = resolveOptions(options);
  const middleware = routesOf(engine, resolved);
  return { prefix: resolved.prefix, routes: () => middleware };
}

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
  return (ctx: Context, next: Next): unknown => table.dispatch(ctx, () => passOn(table, ctx, next, options));
}

/** No route has this path and method: later middleware may answer. If none does and the path is known, 405. */
async function passOn(table: RouteTable, ctx: Context, next: Next, options: ResolvedOptions): Promise<void> {
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
  sendFailure(ctx, refusal, requestIdOf(ctx, options.ids), options);
}
