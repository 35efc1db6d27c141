/** Maps a thrown value to the error response. Pure: logging is in refusal.ts. */
import { BlockworkError, errorTable } from '@blockwork/core';
import type { ErrorBody, ErrorDetail } from '@blockwork/core/records';
import { AuthenticationError } from '../auth/authentication-error.js';
import { KeysUnavailableError } from '../auth/keys-unavailable-error.js';
import { challenge, insufficient } from './challenge.js';
import { TransportError } from './transport-error.js';

export interface Failure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}

export interface FailureOptions {
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
