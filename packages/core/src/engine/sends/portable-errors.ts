/** Errors as data, for forwarding between nodes. */
import { errorTable } from '../../error-table.js';
import { BlockworkError, isBlockworkError, type ErrorArguments, type ErrorCode } from '../../errors.js';
import type { ErrorFacts } from '../../errors.js';
import type { ErrorDetail, Json } from '../../records/index.js';

interface PortableError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly facts: ErrorFacts;
  readonly details: readonly ErrorDetail[];
  /** The cause, as text for the log. */
  readonly cause?: string;
}

export function toPortableError(error: unknown): Json {
  const known = isBlockworkError(error) ? error : new BlockworkError('INTERNAL', { cause: error });
  const { code, message, facts, details, cause } = known;
  const data: PortableError = {
    code,
    message,
    facts,
    details,
    ...(cause !== undefined && { cause: causeText(cause) }),
  };
  return data as unknown as Json;
}

export function fromPortableError(data: Json): BlockworkError {
  const { code, message, facts, details, cause } = data as unknown as PortableError;
  const known = Object.hasOwn(errorTable, code) ? code : 'INTERNAL';
  const options = { facts, details, ...(cause !== undefined && { cause: new Error(cause) }) };
  const error = new BlockworkError(...([known, options] as unknown as ErrorArguments));
  // The message may contain a location, which the facts do not.
  error.message = message;
  return error;
}

const causeText = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : JSON.stringify(cause);
