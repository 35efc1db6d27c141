/** Finds the route of a request, through @koa/router. */
import { Router } from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import type { Endpoint } from './endpoint.js';

/**
 * The router tries each of its routes on each request, whatever it has found before; so the routes are spread over
 * one router for each depth of path, and a request meets two or three of them.
 */
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

  /** Runs the route of the request, or `next` where there is none. */
  dispatch(ctx: Context, next: Next): unknown {
    const dispatcher = this.#dispatchers.get(depthOf(ctx.path));
    return dispatcher === undefined ? next() : dispatcher(ctx, next);
  }

  /** The methods of all routes with this path, in alphabetical order. */
  methodsAt(path: string): string[] {
    const layers = this.#routers.get(depthOf(path))?.match(path, '').path ?? [];
    return [...new Set(layers.flatMap((layer) => layer.methods))].sort();
  }
}

/** Number of segments; a slash at the end makes none. */
function depthOf(path: string): number {
  let depth = path.endsWith('/') ? -1 : 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}
