/** Records that an adapter keeps as text, each of which is parsed when it is read. */
import type { Entry } from './entry.js';

/** The records of one table, in insertion order. */
export interface PackedRecords {
  /** Positions are 0 to `length - 1`. */
  readonly length: number;

  /** Positions whose record has a later position. */
  readonly superseded: ReadonlySet<number>;

  /** -1 if there is none. The position stays the same whatever becomes of the record in the table. */
  positionOf(id: string): number;

  /** Its `seq` is its position. Light: it does not hold the parsed record. */
  entryAt(position: number): Entry;
}
