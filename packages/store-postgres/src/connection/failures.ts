/** Classifies failures of the database or the connection by their effect on the statement. */
import { BlockworkError } from '@blockwork/core';
import { DatabaseError } from 'pg';

/**
 * - `lost`: the connection is gone; a statement that was sent may or may not have been executed.
 * - `away`: the statement was not executed, and will not be on this connection; another one may succeed.
 * - `again`: the statement was rolled back because of a concurrent one; it can be retried unchanged.
 * - `refused`: it was not executed, and a retry would fail too.
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
  '25006': 'away', // read_only_sql_transaction: a former primary
  '0A000': 'away', // a prepared statement from before a migration, or an unlogged table of a standby
  '26000': 'away', // a prepared statement unknown to this connection
  '40001': 'again', // serialization_failure
  '40P01': 'again', // deadlock_detected
  '23505': 'again', // unique_violation: two records were given the same place
};

/** What was read makes no sense. Not a failure of the database: never retried, nor converted into an engine error here. */
export class UnusableAnswer extends Error {}

export function failureKind(error: unknown): FailureKind {
  if (error instanceof DatabaseError) {
    const code = error.code ?? '';
    return kinds[code] ?? kinds[code.slice(0, 2)] ?? 'refused';
  }
  if (!(error instanceof Error) || error instanceof BlockworkError) return 'refused';
  if (error instanceof TypeError || error instanceof RangeError || error instanceof UnusableAnswer) return 'refused';
  return isAboutTls(error) ? 'refused' : 'lost';
}

export const sqlState = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

const isAboutTls = (error: Error): boolean =>
  error.message.includes('SSL') || /CERT|TLS|SSL|UNABLE_TO/.test((error as NodeJS.ErrnoException).code ?? '');

/** Converts a driver error into an engine error. Driver errors contain hosts and users, never passwords. */
export function unavailable(error: unknown): BlockworkError {
  if (error instanceof BlockworkError) return error;
  return new BlockworkError('STORE_UNAVAILABLE', {
    facts: { reason: `the database: ${reasonOf(error)}` },
    cause: error,
  });
}

/** For logs, which may print whole objects: the driver attaches its client, with the password, to some errors. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const hint = error.message.includes('does not support SSL') ? ` (${plaintextHint})` : '';
  const code = sqlState(error) ?? (error as NodeJS.ErrnoException).code;
  // If several addresses of a host were tried, the message is empty and only the code is informative.
  const text = error.message === '' ? error.name : error.message;
  return `${text}${code === undefined ? '' : ` [${code}]`}${hint}`;
};

const plaintextHint = 'add sslmode=disable to the address if the network is trusted';
