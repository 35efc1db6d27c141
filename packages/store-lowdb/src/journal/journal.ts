/** The write-ahead log, with group commit: commits that wait together share one write and one flush (Promises 6 and 7). */
import type { Logger } from '@blockwork/core';
import { isBlockworkError, type ChangeSet } from '@blockwork/core/adapter';
import { explain, isOutOfSpace, unavailable } from '../files/failures.js';
import type { Fence } from '../files/fence.js';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import type { Manifest } from '../manifest/manifest.js';
import { CommitLines, type ChangedRows, type EncodedCommit } from './commit-lines.js';
import { DurableMark } from './durable-mark.js';
import { type Durability, JournalSegment } from './journal-segment.js';

export interface JournalDeps {
  readonly files: FileSystem;
  readonly layout: Layout;
  readonly manifest: Manifest;
  readonly lock: Fence;
  readonly durability: Durability;
  readonly logger: Logger;
  /** A segment of this size is sealed. */
  readonly segmentBytes: number;
  /** The number of the last recovered commit. */
  readonly lastSeq: number;
  /** Total size of the recovered segments. */
  readonly bytes: number;
  /** The segment to continue, if any. */
  readonly segment: JournalSegment | undefined;
  /**
   * Makes a commit visible, in commit order, once it is as durable as promised. `bytes` is the length of its line, `rows` what
   * snapshots store of each change.
   */
  readonly apply: (changeSet: ChangeSet, bytes: number, rows: ChangedRows) => void;
  /** Called when all waiting commits were rejected; none of them was applied. */
  readonly onRejected: () => void;
}

interface PendingCommit {
  readonly seq: number;
  readonly encoded: EncodedCommit;
  readonly changeSet: ChangeSet;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Journal {
  readonly #deps: JournalDeps;
  readonly #mark: DurableMark;
  #pending: PendingCommit[] = [];
  /** The lines of the pending commits, and memory for the next ones. */
  #lines = new CommitLines();
  #spareLines = new CommitLines();
  /** The tail of the queue of disk operations. Never rejects. */
  #queue: Promise<unknown> = Promise.resolve();
  #isWriting = false;
  #segment: JournalSegment | undefined;
  #lastSeq: number;
  /** The last commit that is as durable as promised, and the last one that is flushed. */
  #acknowledged: number;
  #flushed: number;
  #failure: Error | undefined;
  /** Bytes written so far, including the recovered segments. */
  bytesWritten: number;
  /** The number of the last visible commit. */
  lastApplied: number;

  constructor(deps: JournalDeps) {
    this.#deps = deps;
    this.#mark = new DurableMark(deps.files, deps.layout.durable, deps.logger);
    this.#segment = deps.segment;
    this.#lastSeq = deps.lastSeq;
    this.#acknowledged = deps.lastSeq;
    this.#flushed = deps.lastSeq;
    this.lastApplied = deps.lastSeq;
    this.bytesWritten = deps.bytes;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Throws `STORE_UNAVAILABLE` after a failure that lasts until the store is reopened. */
  assertUsable(): void {
    if (this.#failure) throw this.#failure;
  }

  /** Takes ownership of the change set. Rejects with `STORE_UNAVAILABLE`. */
  append(changeSet: ChangeSet): Promise<void> {
    const seq = this.#lastSeq + 1;
    const encoded = this.#lines.add(seq, this.#flushed, changeSet);
    this.#lastSeq = seq;
    const written = new Promise<void>((resolve, reject) =>
      this.#pending.push({ seq, encoded, changeSet, resolve, reject }),
    );
    if (!this.#isWriting) {
      this.#isWriting = true;
      void this.#enqueue(() => this.#writePending());
    }
    if (this.#deps.durability !== 'none') return written;
    written.catch((error: unknown) => this.#fail(error));
    this.#apply(seq, changeSet, encoded);
    return Promise.resolve();
  }

  /**
   * Ends the current segment; the next commit starts a new one. Resolves to the number of the last commit before that,
   * up to which everything is durable.
   */
  seal(): Promise<number> {
    return this.#enqueue(async () => {
      await this.#seal();
      return this.#acknowledged;
    });
  }

  /** Resolves when every commit up to this number is flushed. Rejects with `STORE_UNAVAILABLE`. */
  async flush(upTo: number): Promise<void> {
    while (this.#flushed < upTo) {
      await this.#enqueue(async () => {
        this.assertUsable();
        if (this.#segment === undefined) return;
        await this.#flush(this.#segment);
        this.#noteFlushed(this.#segment);
      });
    }
  }

  /** Resolves when everything appended so far is written or rejected. */
  async drained(): Promise<void> {
    const last = this.#lastSeq;
    while (this.#isWriting && this.#acknowledged < last && last <= this.#lastSeq) await this.#queue;
  }

  /** Closes the file. */
  close(): Promise<void> {
    return this.#enqueue(async () => {
      await this.#segment?.close();
      this.#segment = undefined;
      await this.#mark.close(this.#deps.manifest.segments.length === 0);
    });
  }

  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(task);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #writePending(): Promise<void> {
    const batch = this.#pending;
    const lines = this.#lines;
    this.#pending = [];
    this.#lines = this.#spareLines;
    try {
      await this.#write(lines.bytes);
      for (const { seq, encoded, changeSet, resolve } of batch) {
        this.#acknowledged = seq;
        if (this.#deps.durability !== 'none') this.#apply(seq, changeSet, encoded);
        resolve();
      }
      if (this.#deps.durability === 'fsync' && this.#segment !== undefined) this.#noteFlushed(this.#segment);
    } catch (error) {
      this.#rejectAll(batch, error);
    }
    lines.clear();
    this.#spareLines = lines;
    this.#isWriting = this.#pending.length > 0;
    if (this.#isWriting) void this.#enqueue(() => this.#writePending());
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#segment !== undefined && this.#segment.length >= this.#deps.segmentBytes) await this.#seal();
    const { files, layout, lock, manifest, durability } = this.#deps;
    const first = this.#acknowledged + 1;
    const segment = (this.#segment ??= await JournalSegment.create(files, layout, manifest, first, durability));
    try {
      await segment.write(bytes);
    } catch (error) {
      // The flush may have failed, rather than the write.
      if (segment.syncsWrites && !isOutOfSpace(error)) this.#fail(error);
      await this.#rollback(segment, error);
      throw error;
    }
    if (durability !== 'fsync') lock.assertHeld();
    else if (!segment.syncsWrites) await this.#flush(segment);
    segment.confirm();
    this.bytesWritten += bytes.length;
  }

  /** A full disk may have room later; once the partial write is gone, the journal can continue. */
  async #rollback(segment: JournalSegment, cause: unknown): Promise<void> {
    try {
      await segment.rollback();
    } catch {
      this.#fail(cause);
    }
  }

  /** After a failed flush, the content of the disk is unknown, even if a second flush succeeds. */
  async #flush(segment: JournalSegment): Promise<void> {
    try {
      await segment.sync();
    } catch (error) {
      this.#fail(error);
      await segment.rollback().catch(() => undefined);
      throw error;
    }
  }

  #noteFlushed({ entry }: JournalSegment): void {
    this.#flushed = this.#acknowledged;
    this.#mark.record(entry, this.#flushed);
  }

  #apply(seq: number, changeSet: ChangeSet, { bytes, rows }: EncodedCommit): void {
    this.lastApplied = seq;
    this.#deps.apply(changeSet, bytes, rows);
  }

  #fail(cause: unknown): void {
    if (isBlockworkError(cause, 'STORE_LOCK_LOST')) this.#failure ??= cause;
    const { folder } = this.#deps.layout;
    this.#failure ??= unavailable(`${folder} accepts no commits until it is reopened: ${explain(cause)}`, cause);
  }

  #rejectAll(batch: readonly PendingCommit[], error: unknown): void {
    const rejected = [...batch, ...this.#pending.splice(0)].filter(({ seq }) => seq > this.#acknowledged);
    this.#lines.clear();
    this.#lastSeq = this.#acknowledged;
    this.#deps.onRejected();
    for (const { reject } of rejected) reject(error);
  }

  async #seal(): Promise<void> {
    const segment = this.#segment;
    // An empty one stays: its successor would have the same name.
    if (segment === undefined || segment.isEmpty) return;
    await this.#flush(segment);
    this.#noteFlushed(segment);
    segment.entry.last = this.#acknowledged;
    this.#segment = undefined;
    await segment.close();
  }
}
