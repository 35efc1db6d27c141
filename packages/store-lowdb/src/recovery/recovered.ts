/** The state of the store while it is put together from its files. */
import { join, relative } from 'node:path';
import { RecordTables, type ChangeSet } from '@blockwork/core/adapter';
import type { Layout } from '../files/layout.js';
import type { DamageEntry, SegmentEntry } from '../manifest/manifest-content.js';
import type { Manifest } from '../manifest/manifest.js';
import type { Damage, TornEnd } from './open-report.js';
import { Snapshots } from '../snapshots/snapshots.js';
import { TableMap } from '../manifest/table-map.js';

export class Recovered {
  readonly manifest: Manifest;
  readonly tables = new RecordTables();
  readonly snapshots: Snapshots;
  /** Only for tables read from a file of format 1: the number of the last commit that it holds. */
  readonly upTo = new TableMap<number>();
  /** What is damaged now, whatever the manifest said before. */
  readonly damaged = new TableMap<DamageEntry[]>();
  readonly #otherDamage: Damage[] = [];
  /** Paths of damaged files that are there. */
  readonly spoiled = new Set<string>();
  /** Segments that say more of tables which are not served: kept until somebody has mended those. */
  readonly held = new Set<SegmentEntry>();
  torn: TornEnd | undefined;
  /** The number of the last commit whose revisions were loaded. */
  revisionsUpTo = 0;
  revisionsAreLost = false;
  lastSeq: number;
  replayed = 0;
  journalBytes = 0;
  readonly #folder: string;
  /** Whether tables are served without what is damaged. */
  readonly acceptsLoss: boolean;

  constructor(manifest: Manifest, layout: Layout, partBytes: number, acceptsLoss: boolean) {
    this.manifest = manifest;
    this.acceptsLoss = acceptsLoss;
    this.#folder = layout.folder;
    this.snapshots = new Snapshots(partBytes);
    this.lastSeq = manifest.upTo;
  }

  /** What was found, for the report. */
  get damage(): Damage[] {
    const ofTables = [...this.damaged].flatMap(({ partition, kind, value }) =>
      value.map(({ file, reason }) => ({ file, reason, table: { partition, kind } })),
    );
    return [...ofTables, ...this.#otherDamage];
  }

  /** Whether something was damaged, or mended, since the manifest was written. */
  get hasNews(): boolean {
    return JSON.stringify([...this.damaged]) !== JSON.stringify([...this.manifest.damaged]);
  }

  /** The number of the last commit that the snapshot of a table holds. One without a snapshot was empty. */
  upToOf(partition: string, kind: string): number {
    return (
      this.upTo.get(partition, kind) ??
      this.manifest.damaged.get(partition, kind)?.[0]?.upTo ??
      this.manifest.snapshots.get(partition, kind)?.[0]?.upTo ??
      this.manifest.upTo
    );
  }

  /** From now on the table is not served, or not all of it, and what the disk holds of it is left alone. */
  exclude(partition: string, kind: string, file: string, reason: string): void {
    if (this.acceptsLoss) {
      this.#otherDamage.push({ file, reason, table: { partition, kind } });
      this.snapshots.rewrite(this.snapshots.table(partition, kind));
      return;
    }
    const known = this.damaged.get(partition, kind) ?? [];
    if (known.some((entry) => entry.file === file)) return;
    const before = this.manifest.damaged.get(partition, kind)?.find((entry) => entry.file === file);
    known.push(before ?? { file, reason, upTo: this.upToOf(partition, kind) });
    this.damaged.set(partition, kind, known);
  }

  /** Damage that takes nothing out of service which could be told by name. */
  note(file: string, reason: string): void {
    this.#otherDamage.push({ file, reason });
  }

  /** Some revisions are gone; `restartRevisions` makes new ones once the journal was read. */
  loseRevisions(file: string, reason: string): void {
    this.#otherDamage.push({ file, reason });
    this.revisionsAreLost = true;
    this.snapshots.rewrite(this.snapshots.revisions);
  }

  /**
   * Where revisions are lost, those that the journal does not tell begin again, for the keys that surely had
   * one: names of partitions. The number is above every one given so far, and nobody still holds one of those:
   * they were read by processes that have ended.
   */
  restartRevisions(): void {
    if (!this.revisionsAreLost) return;
    for (const { partition } of [...this.tables.tables(), ...this.manifest.snapshots]) {
      if (this.tables.revisions.get(partition) === 0) this.setRevision(partition, this.lastSeq);
    }
  }

  spoil(file: string): void {
    this.spoiled.add(join(this.#folder, file));
  }

  isWhole(partition: string, kind: string): boolean {
    return !this.damaged.has(partition, kind);
  }

  /** Makes the changes of a commit, whose line has so many `bytes`. */
  apply(changeSet: ChangeSet, bytes: number): void {
    this.tables.apply(changeSet);
    this.snapshots.apply(changeSet, bytes);
  }

  setRevision(key: string, revision: number): void {
    this.tables.revisions.set(key, revision);
    this.snapshots.setRevision(key, revision);
  }

  saw(seq: number): void {
    this.lastSeq = Math.max(this.lastSeq, seq);
  }

  /** The path of a file of the store, relative to its folder. */
  nameOf(path: string): string {
    return relative(this.#folder, path);
  }
}
