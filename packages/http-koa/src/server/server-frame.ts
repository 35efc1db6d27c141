/** What the server adds to the interface: health, unknown paths, and connection shutdown. */
import { contract } from '@blockwork/contract';
import type { PolicyInterface } from '@blockwork/http';
import type { Context, Middleware } from 'koa';
import { KoaRequest } from '../koa-request.js';
import { sendAnswer } from '../send-answer.js';

export function serverFrame(policies: PolicyInterface<Context>, isClosing: () => boolean): Middleware {
  return async (ctx, next) => {
    if (isHealth(ctx)) sendAnswer(ctx, policies.answerHealth(new KoaRequest(ctx), isClosing()));
    else await next();
    if (ctx.status === 404 && ctx.body == null) sendAnswer(ctx, policies.answerUnknown(new KoaRequest(ctx)));
    // An open connection would keep the server from closing.
    if (isClosing()) ctx.set('Connection', 'close');
  };
}

const isHealth = ({ path, method }: Context): boolean =>
  path === contract.health.path && (method === contract.health.method || method === 'HEAD');
