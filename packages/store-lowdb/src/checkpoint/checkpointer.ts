/** Writes changed parts to snapshots and removes the part of the journal they replace. */
import { isHistory } from '@blockwork/core/adapter';
import { join } from 'node:path';
import { forEachLimited } from '../files/concurrency.js';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import type { Quarantine } from '../files/quarantine.js';
import type { Journal } from '../journal/journal.js';
import type { SegmentEntry } from '../manifest/manifest-content.js';
import type { Manifest } from '../manifest/manifest.js';
import type { TableCapture } from '../snapshots/multipart-table.js';
import type { Snapshots } from '../snapshots/snapshots.js';
import type { StoredRows } from '../snapshots/stored-rows.js';
import type { TablePart } from '../snapshots/table-part.js';
import { writePart, type WrittenPart } from '../snapshots/write-part.js';

const concurrentWrites = 4;

export interface CheckpointerDeps {
  readonly files: FileSystem;
  readonly layout: Layout;
  readonly manifest: Manifest;
  readonly journal: Journal;
  readonly quarantine: Quarantine;
  readonly snapshots: Snapshots;
  /** Reads history. */
  readonly stored: StoredRows;
  /** Journal growth allowed during a background checkpoint. */
  readonly checkpointBytes: number;
  /** Segments to keep even if snapshots replace them. */
  readonly retained: ReadonlySet<SegmentEntry>;
  /** Paths of damaged files. */
  readonly corrupted: ReadonlySet<string>;
}

/** `background` leaves commits most of the disk's time. */
export type CheckpointMode = 'immediate' | 'background';

export class Checkpointer {
  readonly #deps: CheckpointerDeps;
  /** The tail of the queue of checkpoints and exclusive tasks. Never rejects. */
  #queue: Promise<void> = Promise.resolve();
  #throttle: Throttle | undefined;
  #isThrottled = true;
  /** Paths that the manifest on disk may still list. */
  #obsolete: string[] = [];
  /** Bytes written by the last checkpoint. */
  bytesWritten = 0;

  constructor(deps: CheckpointerDeps) {
    this.#deps = deps;
  }

  /** Commits continue meanwhile. Only one checkpoint runs at a time. Rejects with `STORE_UNAVAILABLE`, without loss. */
  run(mode: CheckpointMode = 'immediate'): Promise<void> {
    if (mode === 'immediate') this.#throttle?.disable();
    return this.exclusive(() => this.#run(this.#isThrottled ? mode : 'immediate'));
  }

  /** Runs a task while no checkpoint is running, so that the files listed in the manifest stay in place. */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(task);
    this.#queue = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  /** Resolves when no checkpoint is running. */
  idle(): Promise<void> {
    return this.#queue;
  }

  /** Makes the running and all later checkpoints immediate. */
  disableThrottle(): void {
    this.#isThrottled = false;
    this.#throttle?.disable();
  }

  async #run(mode: CheckpointMode): Promise<void> {
    const { manifest, journal, snapshots } = this.#deps;
    const sealed = await journal.seal();
    if (!snapshots.isDirty && this.#replacedSegments(sealed).length === 0 && !manifest.needsSave) return;
    // No commit can come between these two lines: the captures are exactly the state after `upTo`.
    const captures = snapshots.captureDirty();
    const upTo = journal.lastApplied;
    let written: ReadonlyMap<TablePart, WrittenPart>;
    try {
      // No snapshot file may be ahead of the durable journal.
      await journal.flush(upTo);
      written = await this.#write(captures, upTo, mode);
    } catch (error) {
      for (const capture of captures) snapshots.restore(capture);
      throw error;
    }
    // Any concurrent task may save the manifest, so it must not list a file before that is durable.
    for (const capture of captures) this.#addToManifest(capture, written);
    await this.#finish(upTo);
  }

  async #write(
    captures: readonly TableCapture[],
    upTo: number,
    mode: CheckpointMode,
  ): Promise<ReadonlyMap<TablePart, WrittenPart>> {
    const { files, layout, stored, snapshots } = this.#deps;
    const changed = captures.flatMap(({ table, changed: parts }) => parts.map((part) => ({ table, part })));
    const throttle = this.#startThrottle(changed.reduce((sum, { part }) => sum + part.bytes, 0));
    if (mode === 'immediate') throttle.disable();
    this.bytesWritten = 0;
    const written = new Map<TablePart, WrittenPart>();
    try {
      await forEachLimited(changed, mode === 'background' ? 1 : concurrentWrites, async ({ table, part }) => {
        const file = await writePart(files, layout, table, part, upTo, stored, snapshots.arrivals);
        written.set(part, file);
        this.bytesWritten += file.entry.bytes;
        await throttle.pause(part.bytes);
      });
      if (written.size > 0) await files.syncFolder(layout.snapshots);
      return written;
    } catch (error) {
      // The written files may have filled the disk. Those that cannot be removed now are removed at the next opening.
      for (const { entry } of written.values())
        await files.remove(join(layout.folder, entry.file)).catch(() => undefined);
      throw error;
    } finally {
      this.#throttle = undefined;
    }
  }

  #startThrottle(work: number): Throttle {
    const { journal, checkpointBytes } = this.#deps;
    const budget = Math.max(checkpointBytes, work) / 2;
    return (this.#throttle = new Throttle({ work, budget, journal: () => journal.bytesWritten }));
  }

  /** Lists the written files in the manifest in place of the old ones. */
  #addToManifest({ table, parts, changed, orphans }: TableCapture, written: ReadonlyMap<TablePart, WrittenPart>): void {
    const { layout, manifest, snapshots } = this.#deps;
    const obsolete = [...orphans];
    for (const part of changed) {
      if (part.file !== undefined) obsolete.push(part.file.file);
      const now = written.get(part);
      part.file = now?.entry;
      part.bytes = part.file?.bytes ?? part.bytes;
      if (now !== undefined && isHistory(table.kind)) part.unload(now.rows, now.entry.file);
    }
    this.#obsolete.push(...obsolete.map((file) => join(layout.folder, file)));
    const listed = parts.flatMap(({ file }) => file ?? []);
    if (table === snapshots.revisions) manifest.revisions = listed;
    else if (listed.length > 0) manifest.snapshots.set(table.partition, table.kind, listed);
    else manifest.snapshots.delete(table.partition, table.kind);
    snapshots.dropIfEmpty(table);
  }

  /** Saves the manifest, then removes the files it no longer lists. */
  async #finish(upTo: number): Promise<void> {
    const { layout, manifest } = this.#deps;
    manifest.upTo = upTo;
    const replaced = this.#replacedSegments(upTo);
    manifest.segments = manifest.segments.filter((entry) => !replaced.includes(entry));
    this.#obsolete.push(...replaced.map(({ file }) => join(layout.journal, file)));
    await manifest.save();
    for (const path of this.#obsolete.splice(0)) await this.#discard(path);
  }

  #replacedSegments(upTo: number): SegmentEntry[] {
    const { manifest, retained } = this.#deps;
    return manifest.segments.filter((entry) => entry.last !== undefined && entry.last <= upTo && !retained.has(entry));
  }

  async #discard(path: string): Promise<void> {
    const { files, corrupted, quarantine } = this.#deps;
    await (corrupted.has(path) ? quarantine.move(path) : files.remove(path));
  }
}

/** Milliseconds to pause per millisecond of work. */
const pausePerWork = 3;
/** Shorter pauses accumulate, in milliseconds. */
const minPause = 2;
/** Longer pauses are cut: the work was slow for other reasons. */
const maxPause = 30;

export interface ThrottleOptions {
  /** Total bytes to write. */
  readonly work: number;
  /** Bytes by which the journal may grow meanwhile. */
  readonly budget: number;
  /** Current size of the journal. */
  readonly journal: () => number;
}

/** A clock and timers, in milliseconds. */
export interface Stopwatch {
  now(): number;
  /** Calls `wake` after `milliseconds`, unless the returned function is called before. */
  after(milliseconds: number, wake: () => void): () => void;
}

const machineStopwatch: Stopwatch = {
  now: () => performance.now(),
  after: (milliseconds, wake) => {
    const timer = setTimeout(wake, milliseconds);
    return () => clearTimeout(timer);
  },
};

export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #stopwatch: Stopwatch;
  readonly #journalAtStart: number;
  #done = 0;
  #owed = 0;
  #workStart: number;
  #wake: () => void = () => undefined;
  #isDisabled = false;

  constructor(options: ThrottleOptions, stopwatch = machineStopwatch) {
    this.#options = options;
    this.#stopwatch = stopwatch;
    this.#journalAtStart = options.journal();
    this.#workStart = stopwatch.now();
  }

  /** Ends the current pause and prevents further ones. */
  disable(): void {
    this.#isDisabled = true;
    this.#wake();
  }

  /** Call after writing `bytes`. */
  async pause(bytes: number): Promise<void> {
    this.#done += bytes;
    this.#owed += pausePerWork * (this.#stopwatch.now() - this.#workStart);
    if (this.#owed >= minPause && !this.#isDisabled && !this.#isBehind()) {
      await this.#sleep(Math.min(this.#owed, maxPause));
      this.#owed = 0;
    }
    this.#workStart = this.#stopwatch.now();
  }

  #isBehind(): boolean {
    const { work, budget, journal } = this.#options;
    return this.#done / work < (journal() - this.#journalAtStart) / budget;
  }

  async #sleep(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#stopwatch.after(milliseconds, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
