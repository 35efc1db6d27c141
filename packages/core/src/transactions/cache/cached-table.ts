/** The cached records of one kind in one policy, at one revision. */
import type { Change, RecordQuery } from '../../ports/index.js';
import { BlockworkError } from '../../errors.js';
import { compareAt, everything, jsonBytes, matches } from '../../records/index.js';
import type { Condition } from '../../records/index.js';
import type { StoredRecord } from '../undurable-changes.js';

/** Returned records belong to the table. */
export interface CachedTable {
  /** Size of its records as JSON. */
  readonly bytes: number;
  /** `null` if the record does not exist; `undefined` if that is not known. */
  get(id: string): StoredRecord | null | undefined;
  /** `undefined` if the result is not known. Throws `PAGE_TOO_LARGE`. */
  find(query: RecordQuery): readonly StoredRecord[] | undefined;
  count(where: Condition | undefined): number | undefined;
  /** Applies a committed change. */
  apply(change: Change): void;
}

/** The records that match a query, out of all records in insertion order. Throws `PAGE_TOO_LARGE`. */
export function select(records: Iterable<StoredRecord>, query: RecordQuery): StoredRecord[] {
  const { where = everything, order, offset = 0, limit = Infinity, bytes = Infinity } = query;
  const found = [...records].filter((record) => matches(record, where));
  if (order !== undefined) {
    found.sort((a, b) => compareAt(a, b, order.path));
    if (order.direction === 'desc') found.reverse();
  }
  const page = found.slice(offset, offset + limit);
  if (bytes !== Infinity && page.reduce((sum, record) => sum + jsonBytes(record), 0) > bytes) {
    throw new BlockworkError('PAGE_TOO_LARGE', { facts: { limit: bytes } });
  }
  return page;
}

export const idOf = (change: Change): string => (change.op === 'put' ? change.value.id : change.id);

/** The record after the change; `null` if it was deleted. */
export const valueOf = (change: Change): StoredRecord | null => (change.op === 'put' ? change.value : null);
