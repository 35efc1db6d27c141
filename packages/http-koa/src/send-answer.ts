/** Sends an answer through Koa. */
import type { HttpAnswer } from '@blockwork/http';
import type { Context } from 'koa';

export function sendAnswer(ctx: Context, { status, headers, body }: HttpAnswer): void {
  ctx.status = status;
  // Skips the checks of ctx.set, which these names and values do not need.
  for (const name in headers) ctx.res.setHeader(name, headers[name] ?? '');
  if (body !== null)
    ctx.body = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
