/** Sends answers, with the headers that all of them have. */
import type { Logger } from '@blockwork/core';
import type { Context } from 'koa';
import { failureOf } from './failure.js';

export interface Reply {
  readonly status: number;
  /** A JSON value. */
  readonly body?: unknown;
  /** The body as JSON text; replaces `body`. */
  readonly text?: string;
  /** For lists: the number of items before paging. */
  readonly total?: number;
}

export function sendReply(ctx: Context, reply: Reply, requestId: string): void {
  // Serialize before setting headers, so that an unserializable value becomes a clean 500.
  const text = reply.text ?? JSON.stringify(reply.body);
  if (reply.total !== undefined) ctx.set('X-Total-Count', String(reply.total));
  send(ctx, reply.status, text, requestId);
}

export interface FailureSink {
  readonly realm: string;
  readonly logger: Logger;
}

/** Answers with the failure. Logs what the client must not see, under the request id. */
export function sendFailure(ctx: Context, error: unknown, requestId: string, { realm, logger }: FailureSink): void {
  const failure = failureOf(error, { realm, requestId });
  if (failure.status >= 500) {
    const fields = { requestId, method: ctx.method, path: ctx.path, status: failure.status, error };
    if (failure.status === 500) logger.error('A request failed.', fields);
    else logger.warn('A request could not be served.', fields);
  }
  for (const [name, value] of Object.entries(failure.headers)) ctx.set(name, value);
  send(ctx, failure.status, JSON.stringify(failure.body), requestId);
}

function send(ctx: Context, status: number, text: string, requestId: string): void {
  const { res } = ctx;
  ctx.status = status;
  // Skips the checks of ctx.set, which constants do not need.
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Request-Id', requestId);
  ctx.body = text;
}
