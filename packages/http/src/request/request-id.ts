/** The id shared by an answer, its error body and the log. */
import type { Ids } from '@blockwork/core';
import type { HttpRequest } from './http-request.js';

/** Short, and safe in a log and in a header. */
const SAFE = /^[\dA-Za-z-]{1,64}$/;

/** The client's `X-Request-Id` if it is safe, otherwise a new id. */
export function requestIdOf(request: Pick<HttpRequest, 'header'>, ids: Ids): string {
  const sent = request.header('x-request-id');
  return sent !== undefined && SAFE.test(sent) ? sent : ids.uuid();
}
