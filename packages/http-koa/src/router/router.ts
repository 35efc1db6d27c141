/** The HTTP interface as a middleware for a Koa application. */
import type { PolicyEngine } from '@blockwork/core';
import { checkOptions, demandObject } from '@blockwork/core/adapter';
import { interfaceOptionShape, PolicyInterface, resolveOptions } from '@blockwork/http';
import type { InterfaceOptions } from '@blockwork/http';
import type { Context, Middleware, Next } from 'koa';
import { TokenAuthenticator } from '../auth/token-authenticator.js';
import { KoaRequest } from '../koa-request.js';
import { sendAnswer } from '../send-answer.js';

export type RouterOptions = InterfaceOptions<Context>;

export interface PolicyRouter {
  /** Path prefix of every route, for example `/api/v1`. */
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
  demandObject(engine, 'createPolicyRouter', 'engine');
  checkOptions(options, interfaceOptionShape, '', 'createPolicyRouter');
  const resolved = resolveOptions(options, (tokens) => new TokenAuthenticator(tokens));
  const middleware = routesOf(new PolicyInterface(engine, resolved));
  return { prefix: resolved.prefix, routes: () => middleware };
}

export function routesOf(policies: PolicyInterface<Context>): Middleware {
  return (ctx: Context, next: Next): Promise<void> => {
    const request = new KoaRequest(ctx);
    const answer = policies.answer(request);
    return answer === undefined ? passOn(policies, request, next) : answer.then((sent) => sendAnswer(ctx, sent));
  };
}

/** No route has this path and method: later middleware may answer. If none does and the path is known, 405. */
async function passOn(policies: PolicyInterface<Context>, request: KoaRequest, next: Next): Promise<void> {
  await next();
  const { source: ctx } = request;
  if (ctx.status !== 404 || ctx.body != null) return;
  const answer = policies.answerOtherMethod(request);
  if (answer !== undefined) sendAnswer(ctx, answer);
}
