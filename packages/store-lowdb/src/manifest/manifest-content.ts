/** What the manifest says, in memory. */
import type { TableMap } from './table-map.js';

/** A file of a snapshot, as the manifest names it. */
export interface PartFile {
  /** Relative to the store's folder. */
  readonly file: string;
  readonly records: number;
  readonly bytes: number;
  /** Only for files of format 1, which hold a whole table: the number of the last commit that it holds, at least. */
  readonly upTo?: number;
}

/** A segment of the journal. */
export interface SegmentEntry {
  readonly file: string;
  /** The numbers of its first and last commit; `last` is absent while it is written to. */
  readonly first: number;
  last?: number;
}

/** Why one kind in one partition is not served, or not all of it. */
export interface DamageEntry {
  /** The damaged file, relative to the store's folder, as it was called. */
  readonly file: string;
  readonly reason: string;
  /** The number of the last commit that the table's snapshot holds, or would hold. */
  readonly upTo: number;
}

export interface ManifestContent {
  /** Snapshots hold every commit up to this number, but those of damaged tables. */
  upTo: number;
  revisions: readonly PartFile[];
  /** The parts of each table, in the order of insertion. */
  readonly snapshots: TableMap<readonly PartFile[]>;
  segments: SegmentEntry[];
  readonly damaged: TableMap<readonly DamageEntry[]>;
}
