/** The server's additions to the interface: health, documentation, unknown paths, and connection shutdown. */
import { TransportError } from '@blockwork/http';
import type { PolicyInterface } from '@blockwork/http';
import type { Context, Middleware } from 'koa';
import { KoaRequest } from '../koa-request.js';
import { sendAnswer } from '../send-answer.js';

export interface ServerState {
  /** `/readyz` fails, everything else works. */
  isDraining: boolean;
  /** Connections are closed after their next response. */
  isClosing: boolean;
}

export function serverFrame(policies: PolicyInterface<Context>, state: ServerState): Middleware {
  return async (ctx, next) => {
    const reason = malformation(ctx);
    if (reason !== undefined) {
      const refusal = new TransportError('REQUEST_MALFORMED', { facts: { reason } });
      sendAnswer(ctx, policies.refuse(new KoaRequest(ctx), refusal));
      ctx.set('Connection', 'close');
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

/** Checks that Node's parser omits. `Host` is required since HTTP/1.1 (RFC 9112, section 3.2). */
function malformation({ req }: Context): string | undefined {
  if (req.headers.host === undefined && req.httpVersion === '1.1') return 'it has no Host header';
  const twice = single.find((name) => isRepeated(name, req.rawHeaders));
  if (twice !== undefined) return `it has more than one ${twice} header`;
  return isTarget(req.url ?? '') ? undefined : 'its target is no path and no URL';
}

/** A path, a URL with its host, or the `*` of OPTIONS. */
const isTarget = (target: string): boolean =>
  target.startsWith('/') || target === '*' || (/^https?:\/\//i.test(target) && URL.canParse(target));

/** Node uses the first of several; a proxy in front may have used another. */
const single = ['Host', 'Authorization'] as const;

/** `rawHeaders` has names and values in turn. */
function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const headerName = rawHeaders[index];
    if (headerName?.length === name.length && headerName.toLowerCase() === name.toLowerCase()) count += 1;
  }
  return count > 1;
}
