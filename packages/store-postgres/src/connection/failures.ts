/** What a failure of the database or of the way to it means for the statement that met it. */
import { BlockworkError } from '@blockwork/core';
import { DatabaseError } from 'pg';

/**
 * - `lost`: the connection is gone; a statement that was sent may or may not have been carried out.
 * - `away`: the statement was not carried out, and this connection will not do it; another one may.
 * - `again`: the statement was rolled back because of another one at the same time; it can be sent again as it is.
 * - `refused`: it was not carried out, and would not be the next time either.
 */
export type FailureKind = 'lost' | 'away' | 'again' | 'refused';

/** By SQLSTATE, or its class of two characters. */
const kinds: Readonly<Record<string, FailureKind>> = {
  '08': 'lost',
  '57P01': 'lost', // admin_shutdown
  '57P02': 'lost', // crash_shutdown
  '57P05': 'lost', // idle_session_timeout
  '25P03': 'lost', // idle_in_transaction_session_timeout
  '40003': 'lost', // statement_completion_unknown
  '57P03': 'away', // cannot_connect_now
  '53300': 'away', // too_many_connections
  '25006': 'away', // read_only_sql_transaction: a primary that is one no more
  '0A000': 'away', // a prepared statement from before a migration
  '26000': 'away', // a prepared statement that this connection does not have
  '40001': 'again', // serialization_failure
  '40P01': 'again', // deadlock_detected
  '23505': 'again', // unique_violation: two records were given the same place
};

export function failureKind(error: unknown): FailureKind {
  if (error instanceof DatabaseError) {
    const code = error.code ?? '';
    return kinds[code] ?? kinds[code.slice(0, 2)] ?? 'refused';
  }
  if (!(error instanceof Error) || error instanceof BlockworkError) return 'refused';
  if (error instanceof TypeError || error instanceof RangeError) return 'refused';
  return isAboutTls(error) ? 'refused' : 'lost';
}

export const sqlState = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

const isAboutTls = (error: Error): boolean =>
  error.message.includes('SSL') || /CERT|TLS|SSL|UNABLE_TO/.test((error as NodeJS.ErrnoException).code ?? '');

/** The error of the engine for it. Errors of the driver name hosts and users, never passwords. */
export function unavailable(error: unknown): BlockworkError {
  if (error instanceof BlockworkError) return error;
  return new BlockworkError('STORE_UNAVAILABLE', {
    facts: { reason: `the database: ${reasonOf(error)}` },
    cause: error,
  });
}

/** For logs, which may print whole objects: the driver hangs its client, with the password, on some errors. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const hint = error.message.includes('does not support SSL') ? ` (${plaintextHint})` : '';
  const code = sqlState(error) ?? (error as NodeJS.ErrnoException).code;
  // Where several addresses of one host were tried, the message is empty and the code says it.
  const said = error.message === '' ? error.name : error.message;
  return `${said}${code === undefined ? '' : ` [${code}]`}${hint}`;
};

const plaintextHint = 'add sslmode=disable to the address where the network between is trusted';
