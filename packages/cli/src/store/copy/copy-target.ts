/** The target of a copy. */
import type { StoreEnd } from '@blockwork/core/adapter';

export interface CopyTarget {
  /** Number of lines already copied by an interrupted run; 0 for a new copy. */
  readonly resumesAt: number;
  /** Writes all lines of a source; reports the number of durable lines to `report`. */
  take(lines: AsyncIterable<string>, report: (lines: number) => void): Promise<StoreEnd>;
  /** Completes a verified copy. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
