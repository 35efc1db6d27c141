/** What the server adds to the interface: health, documentation, unknown paths, and connection shutdown. */
import { TransportError } from '@blockwork/http';
import type { PolicyInterface } from '@blockwork/http';
import type { Context, Middleware } from 'koa';
import { KoaRequest } from '../koa-request.js';
import { sendAnswer } from '../send-answer.js';

export interface ServerState {
  /** `/readyz` fails, everything else works. */
  isDraining: boolean;
  /** Connections end with their next answer. */
  isClosing: boolean;
}

export function serverFrame(policies: PolicyInterface<Context>, state: ServerState): Middleware {
  return async (ctx, next) => {
    if (lacksHost(ctx)) {
      const refusal = new TransportError('REQUEST_MALFORMED', { facts: { reason: 'it has no Host header' } });
      sendAnswer(ctx, policies.refuse(new KoaRequest(ctx), refusal));
    } else {
      await next();
    }
    if (ctx.status === 404 && ctx.body == null) {
      const request = new KoaRequest(ctx);
      sendAnswer(ctx, await (policies.answerService(request, state.isDraining) ?? policies.answerUnknown(request)));
    }
    // An open connection would keep the server from closing.
    if (state.isClosing) ctx.set('Connection', 'close');
  };
}

/** Required since HTTP/1.1 (RFC 9112, section 3.2). */
const lacksHost = ({ req }: Context): boolean => req.headers.host === undefined && req.httpVersion === '1.1';
