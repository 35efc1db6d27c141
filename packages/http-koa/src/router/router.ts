/** The HTTP interface as a router of @koa/router, for a Koa application or another router. */
import Router from '@koa/router';
import { contract, withSlashes } from '@blockwork/contract';
import type { PolicyEngine } from '@blockwork/core';
import { checkOptions, demandObject } from '@blockwork/core/adapter';
import { interfaceOptionShape, PolicyInterface, resolveOptions } from '@blockwork/http';
import type { InterfaceOptions } from '@blockwork/http';
import type { Context, Middleware, Next } from 'koa';
import { TokenAuthenticator } from '../auth/token-authenticator.js';
import { KoaRequest } from '../koa-request.js';
import { sendAnswer } from '../send-answer.js';

export type RouterOptions = InterfaceOptions<Context>;

/** The methods of HTTP that a caller may try on a path of the interface. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** `health` and `ready` are the server's. */
const isRouted = ({ path }: { readonly path: string }): boolean =>
  path !== contract.health.path && path !== contract.ready.path;

/**
 * The HTTP interface of an engine as a `Router`: its routes have the names of the contract (`router.url('getPolicy', ...)`), and it
 * can be used by an application, below a path of koa-mount, or by another router. It answers its routes, failures included, and
 * passes every other request on. Another method on a known path gets 405 only if no later middleware has answered it. Throws
 * `OPTION_INVALID`.
 *
 * @example
 * app.use(createPolicyRouter(engine, { auth: { secret } }).routes());
 * @example
 * router.use('/engine', createPolicyRouter(engine, { auth: { secret } }).routes());
 */
export function createPolicyRouter(engine: PolicyEngine, options: RouterOptions): Router {
  demandObject(engine, 'createPolicyRouter', 'engine');
  checkOptions(options, interfaceOptionShape, '', 'createPolicyRouter');
  const resolved = resolveOptions(options, (tokens) => new TokenAuthenticator(tokens));
  const policies = new PolicyInterface(engine, resolved);
  const { prefix } = resolved;
  const router = new Router({ prefix, sensitive: true });
  const answered = new Map<string, string[]>();
  const wide = new Map<string, string>();
  for (const [name, { method, path, params }] of Object.entries(contract)) {
    if (!isRouted({ path })) continue;
    const [rest] = withSlashes(params);
    if (rest !== undefined) wide.set(path, rest);
    router.register(pattern(path, rest), [method], below(policies, prefix + path, rest), { name });
    answered.set(path, [...(answered.get(path) ?? []), method]);
  }
  // After all routes: a path may be that of several.
  for (const [path, own] of answered) {
    const others = methods.filter((method) => !own.includes(method));
    const rest = wide.get(path);
    router.register(pattern(path, rest), others, below(policies, prefix + path, rest));
  }
  return router;
}

/** The same for an application that has nothing else: one look into the table of the interface instead of one for each route. */
export function routesOf(policies: PolicyInterface<Context>): Middleware {
  return (ctx: Context, next: Next): Promise<void> => answer(policies, new KoaRequest(ctx), next);
}

/** `rest`: the parameter that may have slashes. */
const pattern = (path: string, rest?: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => (name === rest ? `*${name}` : `:${name}`));

/** Where the router is used by another one, a path begins with theirs: its own are the last segments. */
function below(policies: PolicyInterface<Context>, path: string, rest?: string): Middleware {
  const fixed = path.split('/').length - 1;
  /** The last literal segment before the rest. */
  const mark = rest === undefined ? '' : (path.split('/').at(-2) ?? '');
  return (ctx: Context, next: Next): Promise<void> => {
    const parts = ctx.path.replace(/\/$/, '').split('/');
    const segments = rest === undefined ? fixed : fixed - 2 + parts.length - parts.lastIndexOf(mark);
    const own = parts.length === segments + 1 ? undefined : `/${parts.slice(-segments).join('/')}`;
    return answer(policies, new KoaRequest(ctx, own), next);
  };
}

function answer(policies: PolicyInterface<Context>, request: KoaRequest, next: Next): Promise<void> {
  const answered = policies.answer(request);
  return answered === undefined
    ? passOn(policies, request, next)
    : answered.then((sent) => sendAnswer(request.source, sent));
}

/** No route has this path and method: later middleware may answer. If none does and the path is known, 405. */
async function passOn(policies: PolicyInterface<Context>, request: KoaRequest, next: Next): Promise<void> {
  await next();
  const { source: ctx } = request;
  // `allowedMethods()` of a router answers OPTIONS with an empty text and, without this, all methods.
  const isOpen = ctx.body == null ? ctx.status === 404 : ctx.method === 'OPTIONS' && ctx.body === '';
  if (!isOpen) return;
  const refusal = policies.answerOtherMethod(request);
  if (refusal !== undefined) sendAnswer(ctx, refusal);
}
