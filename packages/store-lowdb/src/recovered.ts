/** The state of the store while it is put together from its files. */
import { RecordTables } from '@blockwork/core';
import type { Manifest, SegmentEntry } from './manifest.js';
import type { Damage, TornEnd } from './report.js';
import { TableMap } from './table-map.js';

export class Recovered {
  readonly tables = new RecordTables();
  /** The number of the last commit that each loaded snapshot holds. */
  readonly snapshotUpTo = new TableMap<number>();
  /** Tables that differ from their snapshot. */
  readonly dirty = new TableMap<true>();
  /** Files to keep apart once the manifest knows of the damage. */
  readonly spoiled = new Set<string>();
  readonly damage: Damage[] = [];
  /** Whether there is damage that the manifest on the disk does not tell of. */
  hasNewDamage = false;
  /** Segments that say more of tables which are not served: kept until somebody has mended those. */
  readonly held = new Set<SegmentEntry>();
  torn: TornEnd | undefined;
  /** The number of the last commit whose revisions were loaded. */
  revisionsUpTo = 0;
  revisionsAreLost = false;
  lastSeq: number;
  replayed = 0;
  journalBytes = 0;

  readonly #manifest: Manifest;

  constructor(manifest: Manifest) {
    this.#manifest = manifest;
    this.lastSeq = manifest.upTo;
    for (const { partition, kind, value } of manifest.damaged) {
      this.damage.push({ file: value.file, reason: value.reason, table: { partition, kind } });
    }
  }

  /** From now on the table is not served, and what the disk holds of it is left alone. */
  exclude(partition: string, kind: string, file: string, reason: string): void {
    if (this.#manifest.damaged.has(partition, kind)) return;
    const upTo = this.#manifest.snapshots.get(partition, kind)?.upTo ?? this.#manifest.upTo;
    this.#manifest.damaged.set(partition, kind, { file, reason, upTo });
    this.hasNewDamage = true;
    this.damage.push({ file, reason, table: { partition, kind } });
    this.dirty.delete(partition, kind);
  }

  isServed(partition: string, kind: string): boolean {
    return !this.#manifest.damaged.has(partition, kind);
  }

  /**
   * Where the revisions are lost, those that the journal does not tell begin again, for the keys that surely had
   * one: names of partitions. The number is above every one given so far, and nobody still holds one of those:
   * they were read by processes that have ended.
   */
  restartRevisions(): void {
    if (!this.revisionsAreLost) return;
    for (const { partition } of [...this.tables.tables(), ...this.#manifest.snapshots]) {
      if (this.tables.revisions.get(partition) === 0) this.tables.revisions.set(partition, this.lastSeq);
    }
  }

  saw(seq: number): void {
    this.lastSeq = Math.max(this.lastSeq, seq);
  }
}
