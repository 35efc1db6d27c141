/** Sends an answer through Koa. */
import { Readable } from 'node:stream';
import { isStream } from '@blockwork/http';
import type { AnswerStream, HttpAnswer } from '@blockwork/http';
import type { Context } from 'koa';

export function sendAnswer(ctx: Context, { status, headers, body }: HttpAnswer): void {
  ctx.status = status;
  // Skips the checks of ctx.set, which these names and values do not need.
  for (const name in headers) ctx.res.setHeader(name, headers[name] ?? '');
  if (body === null) {
    // Koa would write the name of the status.
    if (status === 200) {
      ctx.body = '';
      ctx.remove('Content-Type');
    }
    return;
  }
  if (isStream(body)) sendStream(ctx, body);
  else ctx.body = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** Koa pipes it, with back-pressure from the client. */
function sendStream(ctx: Context, stream: AnswerStream): void {
  if (ctx.method === 'HEAD') {
    stream.cancel();
    ctx.body = '';
    return;
  }
  // Nobody reads what a client that has gone already would get, and no event follows.
  if (ctx.res.closed) {
    stream.cancel();
    return;
  }
  // A destroyed stream still waits for its next chunk, which may be long in coming.
  ctx.res.once('close', () => stream.cancel());
  ctx.body = Readable.from(stream.chunks);
}
