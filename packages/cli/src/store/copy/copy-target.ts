/** Where a store is copied to. */
import type { StoreEnd } from '@blockwork/core/adapter';

export interface CopyTarget {
  /** How many lines an interrupted copy has brought; 0 for a new one. */
  readonly resumesAt: number;
  /** Takes in all lines of a source; `report` hears how many are here for good. */
  take(lines: AsyncIterable<string>, report: (lines: number) => void): Promise<StoreEnd>;
  /** Ends a copy that was verified. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
