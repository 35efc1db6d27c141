/** The table of errors of requests that do not reach the engine. */
import type { ErrorDetail } from '@blockwork/core/records';

interface TransportErrorKind {
  readonly status: number;
  /** `{name}` is a placeholder for one of the error's facts. */
  readonly message: string;
}

export const transportErrorTable = {
  PARAMETER_INVALID: { status: 400, message: 'The path parameter {name} must be {form}.' },
  PATH_MALFORMED: { status: 400, message: 'The path has an invalid percent-escape. Encode it as UTF-8.' },
  BODY_MALFORMED: { status: 400, message: 'The body cannot be read: {reason}.' },
  REQUEST_MALFORMED: { status: 400, message: 'The request is not HTTP: {reason}.' },
  UNAUTHENTICATED: { status: 401, message: '{reason}' },
  SIGN_IN_REFUSED: {
    status: 403,
    message:
      'The code is invalid, expired or already used. Restart the server for a new one, or sign in to the console with a token.',
  },
  ORIGIN_REFUSED: {
    status: 403,
    message:
      'The request comes from a page of another site, or by a name of this machine that others can have. Use localhost or 127.0.0.1.',
  },
  ROUTE_UNKNOWN: { status: 404, message: 'Not found: no route has this path. Check the path and its prefix.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method {method} not allowed; use {allow}.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took longer to arrive than the server waits.' },
  BODY_TOO_LARGE: { status: 413, message: 'The body exceeds the limit of {limit} bytes.' },
  CONTENT_TYPE_UNSUPPORTED: { status: 415, message: 'The body must be {expected}; {given}.' },
  EXPECTATION_UNKNOWN: { status: 417, message: 'The only supported expectation is 100-continue.' },
  RATE_LIMITED: {
    status: 429,
    message: 'The caller exceeds the limit of {rate} per second. Try again in {seconds} s.',
  },
  HEADERS_TOO_LARGE: { status: 431, message: 'The address and the headers exceed the limit of {limit} bytes.' },
  SERVER_BUSY: {
    status: 503,
    message: 'The server is holding more than {limit} bytes of request bodies. Try again in a moment.',
  },
  POLICY_BUSY: {
    status: 503,
    message: 'Policy "{policyId}" has {limit} sends in progress, the limit sendsPerPolicy. Try again in a moment.',
  },
  TOO_MANY_CONNECTIONS: {
    status: 503,
    message: 'The server has {limit} connections, the limit connections. Try again in a moment.',
  },
  IDENTITY_PROVIDER_UNAVAILABLE: {
    status: 503,
    message: 'The keys for verifying tokens cannot be loaded. Try again in {seconds} s.',
  },
  NOT_READY: { status: 503, message: 'The store accepts no writes. Reads may still work.' },
  SERVER_CLOSING: { status: 503, message: 'The server is closing and accepts no new requests.' },
} as const satisfies Record<string, TransportErrorKind>;

export type TransportErrorCode = keyof typeof transportErrorTable;

export interface TransportErrorOptions {
  readonly facts?: Readonly<Record<string, string | number>>;
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly code: TransportErrorCode;
  readonly status: number;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: TransportErrorCode, options: TransportErrorOptions = {}) {
    const kind: TransportErrorKind = transportErrorTable[code];
    super(
      kind.message.replace(/\{(\w+)\}/g, (_, name: string) => String(options.facts?.[name] ?? '?')),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.status = kind.status;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }
}
