/** Writes what changed into snapshots, and gives up the part of the journal that they replace. */
import { join } from 'node:path';
import type { FileSystem } from '../files/file-system.js';
import type { Journal } from '../journal/journal.js';
import type { Layout } from '../files/layout.js';
import { forEachLimited } from '../files/concurrency.js';
import type { PartFile, SegmentEntry } from '../manifest/manifest-content.js';
import type { Manifest } from '../manifest/manifest.js';
import { Pace } from './throttle.js';
import type { TableCut } from '../snapshots/parted-table.js';
import { writePart } from '../snapshots/write-part.js';
import type { Quarantine } from '../files/quarantine.js';
import type { Snapshots } from '../snapshots/snapshots.js';
import type { TablePart } from '../snapshots/table-part.js';

const writtenAtOnce = 4;

export interface CheckpointParts {
  readonly files: FileSystem;
  readonly layout: Layout;
  readonly manifest: Manifest;
  readonly journal: Journal;
  readonly quarantine: Quarantine;
  readonly snapshots: Snapshots;
  /** The journal may grow by so much while one is made at ease. */
  readonly checkpointBytes: number;
  /** Segments to keep whatever snapshots there are. */
  readonly held: ReadonlySet<SegmentEntry>;
  /** Paths of segments that are damaged. */
  readonly spoiled: ReadonlySet<string>;
}

export class Checkpoint {
  readonly #parts: CheckpointParts;
  #running: Promise<void> = Promise.resolve();
  #pace: Pace | undefined;
  #isInHurry = false;
  /** Files that the manifest on the disk may still name. */
  #obsolete: string[] = [];
  /** Bytes that the last one wrote. */
  cost = 0;

  constructor(parts: CheckpointParts) {
    this.#parts = parts;
  }

  /**
   * Commits go on meanwhile; one that is made `at ease` leaves them most of the disk's time. One at a time; rejects
   * with `STORE_UNAVAILABLE`, and nothing is lost by that.
   */
  run(manner: 'at once' | 'at ease' = 'at once'): Promise<void> {
    if (manner === 'at once') this.#pace?.hurry();
    const done = this.#running.then(() => this.#run(manner === 'at ease' && !this.#isInHurry));
    this.#running = done.catch(() => undefined);
    return done;
  }

  /** Runs a task while no checkpoint is under way: the files that the manifest names stay where they are. */
  async between<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#running.then(task);
    this.#running = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  /** Resolves when none is under way. */
  ended(): Promise<void> {
    return this.#running;
  }

  /** From now on none takes its ease. */
  hurry(): void {
    this.#isInHurry = true;
    this.#pace?.hurry();
  }

  async #run(isAtEase: boolean): Promise<void> {
    const { manifest, journal, snapshots, layout } = this.#parts;
    const sealed = await journal.seal();
    if (!snapshots.isDirty && this.#superfluous(sealed).length === 0 && !manifest.mustBeSaved) return;
    // No commit comes between these two: what is taken here is exactly what there is after `upTo`.
    const cuts = snapshots.cut();
    const upTo = journal.applied;
    let written: ReadonlyMap<TablePart, PartFile>;
    try {
      // No snapshot, not even one that was never finished, is ahead of the journal.
      await journal.flush(upTo);
      written = await this.#write(cuts, upTo, isAtEase);
    } catch (error) {
      for (const cut of cuts) snapshots.giveBack(cut);
      throw error;
    }
    // Only now that the files are durable may the manifest, which anybody may save, speak of them.
    for (const cut of cuts) this.#name(cut, written);
    manifest.upTo = upTo;
    const superfluous = this.#superfluous(upTo);
    manifest.segments = manifest.segments.filter((entry) => !superfluous.includes(entry));
    this.#obsolete.push(...superfluous.map(({ file }) => join(layout.journal, file)));
    await manifest.save();
    for (const path of this.#obsolete.splice(0)) await this.#giveUp(path);
  }

  async #write(cuts: readonly TableCut[], upTo: number, isAtEase: boolean): Promise<ReadonlyMap<TablePart, PartFile>> {
    const { files, layout, journal, checkpointBytes } = this.#parts;
    const changed = cuts.flatMap(({ table, changed }) => changed.map((part) => ({ table, part })));
    const work = changed.reduce((sum, { part }) => sum + part.bytes, 0);
    const budget = Math.max(checkpointBytes, work) / 2;
    const pace = new Pace({ work, budget, journal: () => journal.written });
    if (!isAtEase) pace.hurry();
    this.#pace = pace;
    this.cost = 0;
    const written = new Map<TablePart, PartFile>();
    try {
      await forEachLimited(changed, isAtEase ? 1 : writtenAtOnce, async ({ table, part }) => {
        const file = await writePart(files, layout, table, part, upTo);
        written.set(part, file);
        this.cost += file.bytes;
        await pace.rest(part.bytes);
      });
      if (written.size > 0) await files.syncFolder(layout.snapshots);
      return written;
    } catch (error) {
      // The disk may be full of them. What cannot be removed now is removed when the store is opened.
      for (const { file } of written.values()) await files.remove(join(layout.folder, file)).catch(() => undefined);
      throw error;
    } finally {
      this.#pace = undefined;
    }
  }

  /** From now on, the manifest means what was written. */
  #name({ table, parts, changed, orphans }: TableCut, written: ReadonlyMap<TablePart, PartFile>): void {
    const { layout, manifest, snapshots } = this.#parts;
    const obsolete = [...orphans];
    for (const part of changed) {
      if (part.file !== undefined) obsolete.push(part.file.file);
      part.file = written.get(part);
      part.bytes = part.file?.bytes ?? part.bytes;
    }
    this.#obsolete.push(...obsolete.map((file) => join(layout.folder, file)));
    const named = parts.flatMap(({ file }) => file ?? []);
    if (table === snapshots.revisions) manifest.revisions = named;
    else if (named.length > 0) manifest.snapshots.set(table.partition, table.kind, named);
    else manifest.snapshots.delete(table.partition, table.kind);
    snapshots.release(table);
  }

  #superfluous(upTo: number): SegmentEntry[] {
    const { manifest, held } = this.#parts;
    return manifest.segments.filter((entry) => entry.last !== undefined && entry.last <= upTo && !held.has(entry));
  }

  /** Damaged files are kept for a person to look at. */
  async #giveUp(path: string): Promise<void> {
    const { files, spoiled, quarantine } = this.#parts;
    await (spoiled.has(path) ? quarantine.move(path) : files.remove(path));
  }
}
