/** The state of a store during recovery from its files. */
import { join, relative } from 'node:path';
import { isHistory, RecordTables, type ChangeSet, type RecordKinds } from '@blockwork/core/adapter';
import { INSTANCE } from '@blockwork/core/records';
import type { Layout } from '../files/layout.js';
import { type DamageEntry, type SegmentEntry, TableMap } from '../manifest/manifest-content.js';
import type { Manifest } from '../manifest/manifest.js';
import { recordKind } from '../manifest/table-kind.js';
import type { Snapshot } from '../snapshots/snapshot-file.js';
import { Snapshots, withoutHistory } from '../snapshots/snapshots.js';
import type { Damage, TruncatedEnd } from './open-report.js';

export interface RecoveryOptions {
  readonly partBytes: number;
  /** Whether to make tables available without their damaged files. */
  readonly acceptsLoss: boolean;
  /** Whether to keep history in memory as well, for tools that read everything. */
  readonly keepsHistory: boolean;
}

export class RecoveredState {
  readonly manifest: Manifest;
  readonly acceptsLoss: boolean;
  readonly #keepsHistory: boolean;
  readonly tables = new RecordTables();
  readonly snapshots: Snapshots;
  /** Records of kinds that are kept in several tables, with their places. */
  #separated: { readonly place: number; readonly record: RecordKinds['timer'] }[] = [];
  /** The last commit in the snapshot of a table; only for files of format 1. */
  readonly upTo = new TableMap<number>();
  /** Current damage, whatever the manifest says. */
  readonly damaged = new TableMap<DamageEntry[]>();
  readonly #otherDamage: Damage[] = [];
  /** The legible ids of the records given up with each file. */
  readonly abandoned = new Map<string, readonly string[]>();
  /** Paths of damaged files that exist. */
  readonly corrupted = new Set<string>();
  /** Segments with commits of damaged tables: needed until those are restored. */
  readonly retained = new Set<SegmentEntry>();
  truncated: TruncatedEnd | undefined;
  /** The last commit whose revisions were loaded. */
  revisionsUpTo = 0;
  revisionsAreLost = false;
  lastSeq: number;
  replayed = 0;
  journalBytes = 0;
  readonly #folder: string;

  constructor(manifest: Manifest, layout: Layout, { partBytes, acceptsLoss, keepsHistory }: RecoveryOptions) {
    this.manifest = manifest;
    this.acceptsLoss = acceptsLoss;
    this.#keepsHistory = keepsHistory;
    this.#folder = layout.folder;
    this.snapshots = new Snapshots(partBytes);
    this.lastSeq = manifest.upTo;
  }

  get damage(): Damage[] {
    const ofTables = [...this.damaged].flatMap(({ partition, kind, value }) =>
      value.map(({ file, reason }) => ({ file, reason, table: { partition, kind } })),
    );
    const others = this.#otherDamage.map((entry) => {
      const records = this.abandoned.get(entry.file);
      return records === undefined ? entry : { ...entry, records };
    });
    return [...ofTables, ...others];
  }

  /** Whether anything was damaged or restored since the manifest was written. */
  get damageHasChanged(): boolean {
    return JSON.stringify([...this.damaged]) !== JSON.stringify([...this.manifest.damaged]);
  }

  /** The last commit in the snapshot of a table. A table without a snapshot was empty. */
  upToOf(partition: string, kind: string): number {
    // A table that is not listed was part of the undivided table of its kind, if there is one.
    return this.#listedUpTo(partition, kind) ?? this.#listedUpTo(partition, recordKind(kind)) ?? this.manifest.upTo;
  }

  #listedUpTo(partition: string, kind: string): number | undefined {
    return (
      this.upTo.get(partition, kind) ??
      this.manifest.damaged.get(partition, kind)?.[0]?.upTo ??
      this.manifest.snapshots.get(partition, kind)?.[0]?.upTo
    );
  }

  /** Call `loadSeparated` after adding all of them. */
  addSeparated({ records, places }: Snapshot): void {
    const next = this.#separated.length + 1;
    for (const [at, record] of (records as readonly RecordKinds['timer'][]).entries()) {
      const place = places?.[at] ?? next + at;
      this.#separated.push({ place, record });
      this.snapshots.arrivals.restore(record.id, place);
    }
  }

  loadSeparated(): void {
    const sorted = this.#separated.sort((one, other) => one.place - other.place);
    this.#separated = [];
    this.tables.load(
      'timer',
      INSTANCE,
      sorted.map(({ record }) => record),
    );
  }

  /** Makes the table unavailable, in whole or in part; its files stay as they are. */
  markDamaged(partition: string, kind: string, file: string, reason: string): void {
    const before = this.manifest.damaged.get(partition, kind)?.find((entry) => entry.file === file);
    if (this.acceptsLoss) {
      this.#otherDamage.push({ file, reason: before?.reason ?? reason, table: { partition, kind } });
      this.snapshots.rewritePartList(this.snapshots.table(partition, kind));
      return;
    }
    const entries = this.damaged.get(partition, kind) ?? [];
    if (entries.some((entry) => entry.file === file)) return;
    entries.push(before ?? { file, reason, upTo: this.upToOf(partition, kind) });
    this.damaged.set(partition, kind, entries);
  }

  /** Damage that cannot be attributed to a table. */
  addDamage(file: string, reason: string): void {
    this.#otherDamage.push({ file, reason });
  }

  /** Once the journal is replayed, `regenerateRevisions` replaces the lost ones. */
  loseRevisions(file: string, reason: string): void {
    this.addDamage(file, reason);
    this.revisionsAreLost = true;
    this.snapshots.rewritePartList(this.snapshots.revisions);
  }

  /**
   * Assigns lost revisions a new number, for the keys that surely had one: names of partitions. The number exceeds all
   * earlier ones, so no stale expectation can match it.
   */
  regenerateRevisions(): void {
    if (!this.revisionsAreLost) return;
    for (const { partition } of [...this.snapshots.tables(), ...this.manifest.snapshots]) {
      if (this.tables.revisions.get(partition) === 0) this.setRevision(partition, this.lastSeq);
    }
  }

  markCorrupted(file: string): void {
    this.corrupted.add(join(this.#folder, file));
  }

  /** Whether records of the kind are kept in memory. */
  isKept(kind: string): boolean {
    return this.#keepsHistory || !isHistory(kind);
  }

  isIntact(partition: string, kind: string): boolean {
    return !this.damaged.has(partition, kind) && !this.damaged.has(partition, recordKind(kind));
  }

  /** `bytes`: the length of the commit's line in the journal. */
  apply(changeSet: ChangeSet, bytes: number): void {
    this.tables.apply(this.#keepsHistory ? changeSet : withoutHistory(changeSet));
    this.snapshots.apply(changeSet, bytes);
  }

  setRevision(key: string, revision: number): void {
    this.tables.revisions.set(key, revision);
    this.snapshots.setRevision(key, revision);
  }

  advanceTo(seq: number): void {
    this.lastSeq = Math.max(this.lastSeq, seq);
  }

  /** Relative to the store's folder. */
  nameOf(path: string): string {
    return relative(this.#folder, path);
  }
}
