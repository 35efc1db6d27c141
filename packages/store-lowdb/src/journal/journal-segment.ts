/** The file of the journal that is being written. */
import { join } from 'node:path';
import type { FileSystem, WritableFile } from '../files/file-system.js';
import { segmentName, type Layout } from '../files/layout.js';
import type { SegmentEntry } from '../manifest/manifest-content.js';
import type { Manifest } from '../manifest/manifest.js';
import { segmentHeader } from './segment-reader.js';

export class JournalSegment {
  readonly entry: SegmentEntry;
  readonly #file: WritableFile;
  #kept: number;
  #written: number;

  constructor(entry: SegmentEntry, file: WritableFile, length: number) {
    this.entry = entry;
    this.#file = file;
    this.#kept = length;
    this.#written = length;
  }

  /** Makes an empty one. The manifest names it before anything is written to it, so that its loss would be seen. */
  static async begin(files: FileSystem, layout: Layout, manifest: Manifest, first: number): Promise<JournalSegment> {
    const entry: SegmentEntry = { file: segmentName(first), first };
    const file = await files.create(join(layout.journal, entry.file));
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

  /** Goes on with one whose content, `length` bytes, is sound. */
  static async resume(files: FileSystem, layout: Layout, entry: SegmentEntry, length: number): Promise<JournalSegment> {
    return new JournalSegment(entry, await files.append(join(layout.journal, entry.file)), length);
  }

  /** Whether it holds no commit. */
  get isEmpty(): boolean {
    return this.#kept <= segmentHeader(this.entry.first).length;
  }

  /** Bytes that were kept. */
  get length(): number {
    return this.#kept;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#file.write(bytes);
    this.#written = this.#kept + bytes.length;
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** What was written so far is there to stay. */
  keep(): void {
    this.#kept = this.#written;
  }

  /** Removes what was written since `keep`. */
  async cut(): Promise<void> {
    await this.#file.truncate(this.#kept);
    await this.#file.sync();
    this.#written = this.#kept;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
