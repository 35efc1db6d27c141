/** The content of the manifest, in memory. */
import type { TableMap } from './table-map.js';

/** A snapshot file. */
export interface PartFile {
  /** Relative to the store's folder. */
  readonly file: string;
  readonly records: number;
  readonly bytes: number;
  /** Only in format 1, where a file holds a whole table: the last commit it contains, at least. */
  readonly upTo?: number;
}

/** A segment of the journal. */
export interface SegmentEntry {
  readonly file: string;
  /** Its first commit. */
  readonly first: number;
  /** Its last commit; absent while it is being written. */
  last?: number;
}

/** Why a table is unavailable, in whole or in part. */
export interface DamageEntry {
  /** The damaged file, relative to the store's folder, under its original name. */
  readonly file: string;
  readonly reason: string;
  /** The last commit in the table's snapshot. */
  readonly upTo: number;
}

export interface ManifestContent {
  /** Snapshots contain every commit up to this number, except those of damaged tables. */
  upTo: number;
  revisions: readonly PartFile[];
  /** The parts of each table, in insertion order. */
  readonly snapshots: TableMap<readonly PartFile[]>;
  segments: SegmentEntry[];
  readonly damaged: TableMap<readonly DamageEntry[]>;
}
