/** A record and its position in the insertion order of its table. */

import { valueAt } from '../../records/index.js';

/** A record of any kind. */
export interface RecordValue {
  readonly id: string;
}

/**
 * Immutable but for its size: an overwritten record gets a new entry with the same `seq`, so that holders of the old entry still see the old
 * value.
 */
export interface Entry {
  /** Increases with each insertion; kept when a record is overwritten. */
  readonly seq: number;
  readonly value: RecordValue;
  /** The value at one path, if reading it is cheaper than the whole record. */
  readonly fieldAt?: (path: string) => unknown;
  /** Its size as JSON, once it was asked for. */
  bytes?: number;
}

export const fieldAt = (entry: Entry, path: string): unknown =>
  entry.fieldAt === undefined ? valueAt(entry.value, path) : entry.fieldAt(path);
