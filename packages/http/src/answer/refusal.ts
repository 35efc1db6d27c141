/** Turns errors into responses, and logs what the client must not see. */
import { BlockworkError, errorTable, type Logger } from '@blockwork/core';
import type { ErrorBody, ErrorDetail } from '@blockwork/core/records';
import { AuthenticationError } from '../auth/authentication-error.js';
import { KeysUnavailableError } from '../auth/remote-keys.js';
import { type HttpAnswer, jsonHeaders } from './http-answer.js';
import { TransportError } from './transport-error.js';

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

interface Failure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}

interface FailureOptions {
  /** Realm of the Bearer challenge. */
  readonly realm: string;
  readonly requestId: string;
}

export function failureOf(error: unknown, { realm, requestId }: FailureOptions): Failure {
  if (error instanceof AuthenticationError) {
    const headers = { 'WWW-Authenticate': challenge(realm, error) };
    return failure(401, 'UNAUTHENTICATED', error.message, headers, [], requestId);
  }
  if (error instanceof KeysUnavailableError) return failureOf(keysUnavailable(error), { realm, requestId });
  if (error instanceof TransportError) {
    return failure(error.status, error.code, error.message, error.headers, error.details, requestId);
  }
  if (!(error instanceof BlockworkError) || isInternal(error)) {
    return failure(500, 'INTERNAL', errorTable.INTERNAL.message, {}, [], requestId);
  }
  if (error.status > 500) {
    const headers: Record<string, string> = error.retryable ? { 'Retry-After': '1' } : {};
    return failure(error.status, error.code, unavailable(error), headers, [], requestId);
  }
  return failure(error.status, error.code, error.message, headersFor(error, realm), error.details, requestId);
}

/** `BLOCK_FAILED` names the block and hides the cause; other internal errors reveal nothing. Options are the program's. */
const isInternal = ({ status, code }: BlockworkError): boolean =>
  code === 'OPTION_INVALID' || (status === 500 && code !== 'BLOCK_FAILED');

const keysUnavailable = ({ seconds }: KeysUnavailableError): TransportError =>
  new TransportError('IDENTITY_PROVIDER_UNAVAILABLE', {
    facts: { seconds },
    headers: { 'Retry-After': String(seconds) },
  });

/** The error's own message may reveal keys, folders and processes. */
const unavailable = (error: BlockworkError): string =>
  error.code === 'COMMIT_UNKNOWN'
    ? 'The outcome of the change is unknown. Check before you send it again, or use the same Idempotency-Key.'
    : error.retryable
      ? 'The service is temporarily unavailable. Try again in a moment.'
      : 'The service is not available.';

/** 405 requires `Allow` (RFC 9110, section 15.5.6); a missing permission requires a challenge (RFC 6750, section 3). */
function headersFor(error: BlockworkError, realm: string): Record<string, string> {
  switch (error.code) {
    case 'BLOCK_NOT_READABLE':
      return { Allow: 'POST' };
    case 'BLOCK_NOT_WRITABLE':
      return { Allow: 'GET' };
    case 'BLOCK_NEITHER':
    case 'BLOCK_NOT_EXTERNAL':
      return { Allow: '' };
    case 'PERMISSION_DENIED':
      return { 'WWW-Authenticate': insufficient(realm, error.message) };
    default:
      return {};
  }
}

function failure(
  status: number,
  error: string,
  message: string,
  headers: Readonly<Record<string, string>>,
  details: readonly ErrorDetail[],
  requestId: string,
): Failure {
  const body = { code: status, message, error, ...(details.length === 0 ? {} : { details: [...details] }), requestId };
  return { status, headers, body };
}

/** No error code if the request has no credential (RFC 6750, section 3.1). */
const challenge = (realm: string, error: AuthenticationError): string =>
  error.problem === 'missing' ? `Bearer realm=${quoted(realm)}` : bearer(realm, 'invalid_token', error.message);

/** For a valid token without the permission. */
const insufficient = (realm: string, message: string): string => bearer(realm, 'insufficient_scope', message);

const bearer = (realm: string, error: string, description: string): string =>
  `Bearer realm=${quoted(realm)}, error="${error}", error_description=${quoted(description)}`;

/** Keeps to the characters that RFC 6750 allows in `error_description`, which prevents header injection. */
const quoted = (text: string): string =>
  `"${text.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')}"`;
