/** Records from the text in their rows, which somebody may have changed by hand. */
import { BlockworkError } from '@blockwork/core';
import { DamagedRecord } from '@blockwork/core/adapter';
import { textOf } from '../codec/name.js';
import type { Run } from '../connection/connections.js';
import type { Question } from './question.js';
import type { PageRow } from './rows.js';

/** What a row holds is no record. */
export class UnreadableRow extends Error {
  constructor(
    readonly place: string,
    cause: unknown,
  ) {
    super('It is not the JSON of a record.', { cause });
  }
}

/** Throws what `withNamedDamage` turns into an error of the engine. */
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

/** Rejects with `STORE_UNAVAILABLE`, naming the record, where a row that is read holds none. */
export async function withNamedDamage<T>(question: Question, run: Run, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
    const { kind, partition } = question;
    throw damaged(kind, partition, await idAt(question, run, error.place), error.cause);
  }
}

function parsed(body: string): object {
  const value: unknown = JSON.parse(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new TypeError('it is no object');
}

/** `null` if the row is gone meanwhile. */
async function idAt(question: Question, run: Run, place: string): Promise<string | null> {
  const parameters = question.parameters();
  const text = `select id from ${question.table} where ${question.scope} and place = ${parameters.add(place)}::bigint`;
  const [row] = await run<{ id: string }>({ text, values: parameters.values });
  return row === undefined ? null : textOf(row.id);
}

function damaged(kind: string, partition: string, id: string | null, cause: unknown): BlockworkError {
  // Where the row is gone meanwhile, nobody can say which record it was.
  const named = id === null ? cause : new DamagedRecord(kind, partition, id, cause);
  const record = id === null ? 'a record' : `the record "${id}"`;
  const reason = `${record} of kind "${kind}" in partition "${partition}" is damaged: its row holds no readable JSON. Restore the row from a backup`;
  return new BlockworkError('STORE_UNAVAILABLE', { facts: { reason }, cause: named });
}
