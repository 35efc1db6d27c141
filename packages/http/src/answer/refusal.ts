/** Turns errors into responses, and logs what the client must not see. */
import type { Logger } from '@blockwork/core';
import { failureOf } from './failure.js';
import { jsonHeaders } from './http-answer.js';
import type { HttpAnswer } from './http-answer.js';

export interface RefusalOptions {
  readonly realm: string;
  readonly logger: Logger;
}

/** The request's fields in the log. */
interface Refused {
  readonly method: string;
  readonly path: string;
}

/** The response to a failed request. The error is logged under the request id. */
export function refusalOf(
  request: Refused,
  error: unknown,
  requestId: string,
  { realm, logger }: RefusalOptions,
): HttpAnswer {
  const { status, headers, body } = failureOf(error, { realm, requestId });
  if (status >= 500) {
    const fields = { requestId, method: request.method, path: request.path, status, error };
    if (status === 500) logger.error('A request failed.', fields);
    else logger.warn('A request could not be served.', fields);
  } else if (status === 401 || status === 403) {
    const { method, path } = request;
    logger.info('A request was refused.', { requestId, method, path, status, reason: body.message });
  }
  return { status, headers: { ...jsonHeaders(requestId), ...headers }, body: JSON.stringify(body) };
}
