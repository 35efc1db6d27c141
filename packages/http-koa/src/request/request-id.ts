/** The id shared by an answer, its error body and the log. */
import type { Ids } from '@blockwork/core';
import type { Context } from 'koa';

/** Short, and safe in a log and in a header. */
const SAFE = /^[\dA-Za-z-]{1,64}$/;

/** The client's `X-Request-Id` if it is safe, otherwise a new id. */
export function requestIdOf({ req }: Pick<Context, 'req'>, ids: Ids): string {
  const sent = req.headers['x-request-id'];
  return typeof sent === 'string' && SAFE.test(sent) ? sent : ids.uuid();
}
