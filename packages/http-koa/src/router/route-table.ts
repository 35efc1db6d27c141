/** Finds the route of a request, through @koa/router. */
import { Router } from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import type { Endpoint } from './endpoint.js';

/** One router per path depth: @koa/router tests every route on every request, so each request meets only a few. */
export class RouteTable {
  readonly #routers = new Map<number, Router>();
  readonly #dispatchers = new Map<number, Middleware>();

  /** `path` has its parameters in braces: `/policies/{policyId}`. */
  add(method: string, path: string, endpoint: Endpoint): void {
    const depth = depthOf(path);
    const router = this.#routers.get(depth) ?? new Router({ sensitive: true });
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], endpoint);
    this.#routers.set(depth, router);
    this.#dispatchers.set(depth, router.routes() as Middleware);
  }

  /** Runs the route of the request, or `next` if there is none. */
  dispatch(ctx: Context, next: Next): unknown {
    const dispatcher = this.#dispatchers.get(depthOf(ctx.path));
    return dispatcher === undefined ? next() : dispatcher(ctx, next);
  }

  /** The methods of all routes with this path, sorted. */
  methodsAt(path: string): string[] {
    const layers = this.#routers.get(depthOf(path))?.match(path, '').path ?? [];
    return [...new Set(layers.flatMap((layer) => layer.methods))].sort();
  }
}

/** Number of segments; a trailing slash does not count. */
function depthOf(path: string): number {
  let depth = path.endsWith('/') ? -1 : 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}
