/** The content of the manifest, in memory. */

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

/** A map keyed by partition and kind. */

export class TableMap<T> {
  readonly #partitions = new Map<string, Map<string, T>>();

  get(partition: string, kind: string): T | undefined {
    return this.#partitions.get(partition)?.get(kind);
  }

  has(partition: string, kind: string): boolean {
    return this.#partitions.get(partition)?.has(kind) ?? false;
  }

  set(partition: string, kind: string, value: T): void {
    let kinds = this.#partitions.get(partition);
    if (kinds === undefined) this.#partitions.set(partition, (kinds = new Map<string, T>()));
    kinds.set(kind, value);
  }

  delete(partition: string, kind: string): void {
    const kinds = this.#partitions.get(partition);
    kinds?.delete(kind);
    if (kinds?.size === 0) this.#partitions.delete(partition);
  }

  *[Symbol.iterator](): IterableIterator<{ partition: string; kind: string; value: T }> {
    for (const [partition, kinds] of this.#partitions) {
      for (const [kind, value] of kinds) yield { partition, kind, value };
    }
  }
}
