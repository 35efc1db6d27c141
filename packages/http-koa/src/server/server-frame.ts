/** What the server adds to the interface: health, documentation, unknown paths, and connection shutdown. */
import type { PolicyInterface } from '@blockwork/http';
import type { Context, Middleware } from 'koa';
import { KoaRequest } from '../koa-request.js';
import { sendAnswer } from '../send-answer.js';

export function serverFrame(policies: PolicyInterface<Context>, isClosing: () => boolean): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.status === 404 && ctx.body == null) {
      const request = new KoaRequest(ctx);
      sendAnswer(ctx, await (policies.answerService(request, isClosing()) ?? policies.answerUnknown(request)));
    }
    // An open connection would keep the server from closing.
    if (isClosing()) ctx.set('Connection', 'close');
  };
}
