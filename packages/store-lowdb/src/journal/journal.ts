/** The journal: every commit of the process goes through it, those that wait together share one flush. */
import type { ChangeSet } from '@blockwork/core/adapter';
import { explain, unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import { encodeCommit } from './journal-line.js';
import { JournalSegment } from './journal-segment.js';
import type { Layout } from '../files/layout.js';
import type { Manifest } from '../manifest/manifest.js';
import type { Durability } from './durability.js';

export interface JournalOptions {
  readonly files: FileSystem;
  readonly layout: Layout;
  readonly manifest: Manifest;
  readonly durability: Durability;
  /** A segment that has grown to this size is followed by another. */
  readonly segmentBytes: number;
  /** The number of the last commit that was recovered. */
  readonly lastSeq: number;
  /** The size of all its segments. */
  readonly bytes: number;
  /**
   * Makes a commit visible, whose line has so many bytes; called in the order of the numbers, once the commit is as
   * durable as promised.
   */
  readonly apply: (changeSet: ChangeSet, bytes: number) => void;
  /** The commits that were waiting are lost to their callers: nothing of them was applied. */
  readonly onRejected: () => void;
}

interface Waiting {
  readonly seq: number;
  readonly line: Buffer;
  readonly changeSet: ChangeSet;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Journal {
  readonly #options: JournalOptions;
  #waiting: Waiting[] = [];
  /** What touches the disk runs one after the other. Never rejects. */
  #disk: Promise<unknown> = Promise.resolve();
  #isWriting = false;
  #segment: JournalSegment | undefined;
  #lastSeq: number;
  /** The numbers of the last commit that is written as was promised, and of the last one that is flushed. */
  #acknowledged: number;
  #flushed: number;
  #failure: Error | undefined;
  /** Bytes written so far, those of the segments found at opening included. */
  written: number;
  /** The number of the last commit that was made visible. */
  applied: number;

  /** With the segment to go on with, if there is one. */
  constructor(options: JournalOptions, segment?: JournalSegment) {
    this.#options = options;
    this.#segment = segment;
    this.#lastSeq = options.lastSeq;
    this.#acknowledged = options.lastSeq;
    this.#flushed = options.lastSeq;
    this.applied = options.lastSeq;
    this.written = options.bytes;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Throws `STORE_UNAVAILABLE` after a failure that only opening the store again can mend. */
  assertUsable(): void {
    if (this.#failure) throw this.#failure;
  }

  /** Takes the change set over. Rejects with `STORE_UNAVAILABLE` when it could not be written. */
  append(changeSet: ChangeSet): Promise<void> {
    const seq = ++this.#lastSeq;
    const line = encodeCommit(seq, this.#flushed, changeSet);
    const written = new Promise<void>((resolve, reject) =>
      this.#waiting.push({ seq, line, changeSet, resolve, reject }),
    );
    if (!this.#isWriting) {
      this.#isWriting = true;
      void this.#next(() => this.#writeWaiting());
    }
    if (this.#options.durability !== 'none') return written;
    written.catch((error: unknown) => this.#fail(error));
    this.#apply(seq, changeSet, line.length);
    return Promise.resolve();
  }

  /**
   * Ends the current segment, so that the next commit begins another. Resolves with the number of the last
   * commit before that; all of those are durable.
   */
  seal(): Promise<number> {
    return this.#next(async () => {
      await this.#seal();
      return this.#acknowledged;
    });
  }

  /** Resolves when every commit up to this number is flushed. Rejects with `STORE_UNAVAILABLE`. */
  async flush(upTo: number): Promise<void> {
    while (this.#flushed < upTo) {
      await this.#next(async () => {
        this.assertUsable();
        if (this.#segment === undefined) return;
        await this.#flush(this.#segment);
        this.#flushed = this.#acknowledged;
      });
    }
  }

  /** Resolves when everything that was appended so far is written, or was given up. */
  async settled(): Promise<void> {
    const awaited = this.#lastSeq;
    while (this.#isWriting && this.#acknowledged < awaited && awaited <= this.#lastSeq) await this.#disk;
  }

  /** Lets go of the file. */
  close(): Promise<void> {
    return this.#next(async () => {
      await this.#segment?.close();
      this.#segment = undefined;
    });
  }

  #next<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#disk.then(task);
    this.#disk = done.catch(() => undefined);
    return done;
  }

  async #writeWaiting(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      await this.#write(Buffer.concat(batch.map(({ line }) => line)));
      for (const { seq, line, changeSet, resolve } of batch) {
        this.#acknowledged = seq;
        if (this.#options.durability !== 'none') this.#apply(seq, changeSet, line.length);
        resolve();
      }
      if (this.#options.durability === 'fsync') this.#flushed = this.#acknowledged;
    } catch (error) {
      this.#giveUp(batch, error);
    }
    this.#isWriting = this.#waiting.length > 0;
    if (this.#isWriting) void this.#next(() => this.#writeWaiting());
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#segment !== undefined && this.#segment.length >= this.#options.segmentBytes) await this.#seal();
    const { files, layout, manifest, durability } = this.#options;
    const segment = (this.#segment ??= await JournalSegment.begin(files, layout, manifest, this.#acknowledged + 1));
    try {
      await segment.write(bytes);
    } catch (error) {
      await this.#undo(segment, error);
      throw error;
    }
    if (durability === 'fsync') await this.#flush(segment);
    segment.keep();
    this.written += bytes.length;
  }

  /** A disk that was full may have room again later: once the half-written part is gone, the journal can go on. */
  async #undo(segment: JournalSegment, cause: unknown): Promise<void> {
    try {
      await segment.cut();
    } catch {
      this.#fail(cause);
    }
  }

  /** After a flush that failed, nobody knows what is on the disk, whatever a second one says. */
  async #flush(segment: JournalSegment): Promise<void> {
    try {
      await segment.sync();
    } catch (error) {
      this.#fail(error);
      await segment.cut().catch(() => undefined);
      throw error;
    }
  }

  #apply(seq: number, changeSet: ChangeSet, bytes: number): void {
    this.applied = seq;
    this.#options.apply(changeSet, bytes);
  }

  #fail(cause: unknown): void {
    const { folder } = this.#options.layout;
    this.#failure ??= unavailable(
      `commits are refused until the store at ${folder} is opened again, since ${explain(cause)}`,
      cause,
    );
  }

  #giveUp(batch: readonly Waiting[], error: unknown): void {
    const rejected = [...batch, ...this.#waiting.splice(0)].filter(({ seq }) => seq > this.#acknowledged);
    this.#lastSeq = this.#acknowledged;
    this.#options.onRejected();
    for (const { reject } of rejected) reject(error);
  }

  async #seal(): Promise<void> {
    const segment = this.#segment;
    // An empty one stays: its successor would have the same name.
    if (segment === undefined || segment.isEmpty) return;
    await this.#flush(segment);
    this.#flushed = this.#acknowledged;
    segment.entry.last = this.#acknowledged;
    this.#segment = undefined;
    await segment.close();
  }
}
