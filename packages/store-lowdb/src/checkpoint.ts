/** Writes what changed into snapshots, and gives up the part of the journal that they replace. */
import { join } from 'node:path';
import type { RecordKind, RecordTables } from '@blockwork/core';
import { Low } from 'lowdb';
import type { FileSystem } from './file-system.js';
import type { Journal } from './journal.js';
import { snapshotName, type Layout } from './layout.js';
import { forEachLimited } from './limited.js';
import type { Manifest, SegmentEntry, SnapshotEntry } from './manifest.js';
import type { Quarantine } from './quarantine.js';
import { SnapshotFile } from './snapshot-file.js';
import { TableMap } from './table-map.js';

const writtenAtOnce = 8;

export interface CheckpointParts {
  readonly files: FileSystem;
  readonly layout: Layout;
  readonly manifest: Manifest;
  readonly journal: Journal;
  readonly quarantine: Quarantine;
  readonly tables: RecordTables;
  /** Tables that differ from their snapshot. */
  readonly dirty: TableMap<true>;
  /** Segments to keep whatever snapshots there are. */
  readonly held: ReadonlySet<SegmentEntry>;
  /** Paths of segments that are damaged. */
  readonly spoiled: ReadonlySet<string>;
}

export class Checkpoint {
  readonly #parts: CheckpointParts;
  #running: Promise<void> = Promise.resolve();
  /** Bytes that the last one wrote. */
  cost = 0;

  constructor(parts: CheckpointParts) {
    this.#parts = parts;
  }

  /** Commits go on meanwhile. One at a time; rejects with `STORE_UNAVAILABLE`, and nothing is lost by that. */
  run(): Promise<void> {
    const done = this.#running.then(() => this.#run());
    this.#running = done.catch(() => undefined);
    return done;
  }

  async #run(): Promise<void> {
    const { files, layout, manifest, journal, dirty } = this.#parts;
    const upTo = await journal.seal();
    const tables = [...dirty];
    if (tables.length === 0 && this.#superfluous(upTo).length === 0) return;
    this.cost = 0;
    const written = await this.#writeSnapshots(tables);
    const revisionsUpTo = await this.#writeRevisions();

    // Only now that the files are durable may the manifest, which anybody may save, speak of them.
    const obsolete: string[] = [];
    for (const { partition, kind, value } of written) {
      if (value.records > 0) manifest.snapshots.set(partition, kind, value);
      else {
        manifest.snapshots.delete(partition, kind);
        obsolete.push(join(layout.snapshots, value.file));
      }
    }
    Object.assign(manifest, { upTo, revisionsUpTo });
    const superfluous = this.#superfluous(upTo);
    manifest.segments = manifest.segments.filter((entry) => !superfluous.includes(entry));
    await manifest.save();
    for (const entry of superfluous) await this.#giveUp(join(layout.journal, entry.file));
    for (const path of obsolete) await files.remove(path);
  }

  #superfluous(upTo: number): SegmentEntry[] {
    const { manifest, held } = this.#parts;
    return manifest.segments.filter((entry) => entry.last !== undefined && entry.last <= upTo && !held.has(entry));
  }

  async #writeSnapshots(tables: readonly { partition: string; kind: string }[]): Promise<TableMap<SnapshotEntry>> {
    const { files, layout, dirty } = this.#parts;
    const written = new TableMap<SnapshotEntry>();
    try {
      await forEachLimited(tables, writtenAtOnce, async ({ partition, kind }) => {
        written.set(partition, kind, await this.#writeSnapshot(partition, kind));
      });
      await files.syncFolder(layout.snapshots);
    } catch (error) {
      for (const { partition, kind } of tables) dirty.set(partition, kind, true);
      throw error;
    }
    return written;
  }

  /** The journal is flushed first: no snapshot may hold a part of a commit whose other parts are lost in a power cut. */
  async #writeSnapshot(partition: string, kind: string): Promise<SnapshotEntry> {
    const { layout, journal, dirty, tables } = this.#parts;
    const file = snapshotName(partition, kind);
    // No commit comes between these three: what is taken here is exactly what there is after `upTo`.
    dirty.delete(partition, kind);
    const upTo = journal.applied;
    const records = tables.values(kind as RecordKind, partition);
    await journal.flush(upTo);
    if (records.length > 0) await this.#write(join(layout.snapshots, file), { partition, kind, upTo, records });
    return { file, records: records.length, upTo };
  }

  async #writeRevisions(): Promise<number> {
    const { files, layout, journal, tables } = this.#parts;
    const upTo = journal.applied;
    const records = Array.from(tables.revisions, ([key, revision]) => ({ key, revision }));
    await journal.flush(upTo);
    await this.#write(layout.revisions, { partition: '', kind: 'revisions', upTo, records });
    await files.syncFolder(layout.folder);
    return upTo;
  }

  async #write(path: string, snapshot: Parameters<SnapshotFile['write']>[0]): Promise<void> {
    const file = new SnapshotFile(this.#parts.files, path);
    const low = new Low(file, snapshot);
    await low.write();
    this.cost += file.size;
  }

  async #giveUp(path: string): Promise<void> {
    const { files, spoiled, quarantine } = this.#parts;
    await (spoiled.has(path) ? quarantine.move(path) : files.remove(path));
  }
}
