/** Errors of requests that do not reach the engine, in one table. */
import type { ErrorDetail } from '@blockwork/core/records';

interface TransportErrorKind {
  readonly status: number;
  /** `{name}` is filled from the error's facts. */
  readonly message: string;
}

export const transportErrorTable = {
  PARAMETER_INVALID: { status: 400, message: 'The path parameter {name} must be {form}.' },
  PATH_MALFORMED: { status: 400, message: 'The path has an invalid percent-escape. Encode it as UTF-8.' },
  BODY_MALFORMED: { status: 400, message: 'The body cannot be read: {reason}.' },
  UNAUTHENTICATED: { status: 401, message: '{reason}' },
  ROUTE_UNKNOWN: { status: 404, message: 'Not found: no route has this path. Check the path and its prefix.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method {method} not allowed; use {allow}.' },
  BODY_TOO_LARGE: { status: 413, message: 'The body exceeds the limit of {limit} bytes.' },
  CONTENT_TYPE_UNSUPPORTED: { status: 415, message: 'The body must be {expected}.' },
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
