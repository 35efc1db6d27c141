/** Parses records from rows, which may have been edited by hand. */
import { BlockworkError } from '@blockwork/core';
import { DamagedRecord } from '@blockwork/core/adapter';
import { textOf } from '../codec/name.js';
import type { Run } from '../connection/connections.js';
import { UnusableAnswer } from '../connection/failures.js';
import type { TableQuery } from './table-query.js';
import type { PageRow } from './rows.js';

/** The row contains no valid record. */
export class UnreadableRow extends UnusableAnswer {
  constructor(
    readonly place: string,
    cause: unknown,
  ) {
    super('It is not the JSON of a record.', { cause });
  }
}

/** Throws `UnreadableRow`, which `withNamedDamage` converts into an engine error. */
export function recordIn({ body, place }: Pick<PageRow, 'body' | 'place'>): object {
  try {
    return parsed(body);
  } catch (error) {
    throw new UnreadableRow(place, error);
  }
}

/** Throws `STORE_UNAVAILABLE`, naming the record. */
export function recordOf(body: string, kind: string, partition: string, id: string): object {
  try {
    return parsed(body);
  } catch (error) {
    throw damaged(kind, partition, id, error);
  }
}

/** Rejects with `STORE_UNAVAILABLE`, naming the record, if a row read contains no valid record. */
export async function withNamedDamage<T>(query: TableQuery, run: Run, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
    const { kind, partition } = query;
    throw damaged(kind, partition, await idAt(query, run, error.place), error.cause);
  }
}

function parsed(body: string): object {
  const value: unknown = JSON.parse(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new TypeError('it is no object');
}

/** `null` if the row has been deleted meanwhile. */
async function idAt(query: TableQuery, run: Run, place: string): Promise<string | null> {
  const parameters = query.parameters();
  const text = `select id from ${query.table} where ${query.scope} and place = ${parameters.add(place)}::bigint`;
  const [row] = await run<{ id: string }>({ text, values: parameters.values });
  return row === undefined ? null : textOf(row.id);
}

function damaged(kind: string, partition: string, id: string | null, cause: unknown): BlockworkError {
  // If the row has been deleted meanwhile, the record cannot be identified.
  const named = id === null ? cause : new DamagedRecord(kind, partition, id, cause);
  const record = id === null ? 'a record' : `the record "${id}"`;
  const reason = `${record} of kind "${kind}" in partition "${partition}" is damaged: its row contains no valid JSON. Restore the row from a backup`;
  return new BlockworkError('STORE_UNAVAILABLE', { facts: { reason }, cause: named });
}
