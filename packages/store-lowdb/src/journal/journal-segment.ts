/** The journal file that is being written. */
import { join } from 'node:path';
import type { FileSystem, OpenOptions, WritableFile } from '../files/file-system.js';
import { type Layout, segmentName } from '../files/layout.js';
import type { SegmentEntry } from '../manifest/manifest-content.js';
import type { Manifest } from '../manifest/manifest.js';
import { segmentHeader } from './segment-reader.js';

export class JournalSegment {
  readonly entry: SegmentEntry;
  readonly #file: WritableFile;
  #confirmed: number;
  #written: number;

  constructor(entry: SegmentEntry, file: WritableFile, length: number) {
    this.entry = entry;
    this.#file = file;
    this.#confirmed = length;
    this.#written = length;
  }

  /** The manifest lists the segment before its first commit, so that its loss would be noticed. */
  static async create(
    files: FileSystem,
    layout: Layout,
    manifest: Manifest,
    first: number,
    durability: Durability,
  ): Promise<JournalSegment> {
    const entry: SegmentEntry = { file: segmentName(first), first };
    const file = await files.create(join(layout.journal, entry.file), openOptions(durability));
    const header = Buffer.from(segmentHeader(first));
    try {
      await file.write(header);
      await file.sync();
      await files.syncFolder(layout.journal);
      manifest.segments.push(entry);
      await manifest.save();
    } catch (error) {
      manifest.segments = manifest.segments.filter((listed) => listed !== entry);
      await file.close();
      throw error;
    }
    return new JournalSegment(entry, file, header.length);
  }

  /** Continues a segment whose first `length` bytes are valid. */
  static async reopen(
    files: FileSystem,
    layout: Layout,
    entry: SegmentEntry,
    length: number,
    durability: Durability,
  ): Promise<JournalSegment> {
    const file = await files.append(join(layout.journal, entry.file), openOptions(durability));
    return new JournalSegment(entry, file, length);
  }

  /** Whether what `write` has written is flushed. */
  get syncsWrites(): boolean {
    return this.#file.syncsWrites === true;
  }

  /** Whether it contains no commit. */
  get isEmpty(): boolean {
    return this.#confirmed <= segmentHeader(this.entry.first).length;
  }

  /** Confirmed bytes. */
  get length(): number {
    return this.#confirmed;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#file.write(bytes);
    this.#written = this.#confirmed + bytes.length;
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** Keeps what was written so far. */
  confirm(): void {
    this.#confirmed = this.#written;
  }

  /** Removes what was written since `confirm`. */
  async rollback(): Promise<void> {
    await this.#file.truncate(this.#confirmed);
    await this.#file.sync();
    this.#written = this.#confirmed;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

const openOptions = (durability: Durability): OpenOptions => ({
  syncsWrites: durability === 'fsync',
  mayReserve: durability === 'fsync',
});

/** The durability levels: what a commit survives once it is acknowledged. */
export const durabilities = ['fsync', 'os', 'none'] as const;

/**
 * When a commit is acknowledged:
 * - `fsync`: once the disk has it. Survives a power cut. Concurrent commits share one flush.
 * - `os`: once the operating system has it. Survives a crash of the process, but not a power cut.
 * - `none`: at once. A crash of the process may lose the last commits.
 */
export type Durability = (typeof durabilities)[number];
