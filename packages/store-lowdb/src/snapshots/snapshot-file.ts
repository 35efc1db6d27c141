/** Files that hold a part of a table, for lowdb to read and write. */
import type { Adapter } from 'lowdb';
import { replaceFile } from '../files/atomic-file.js';
import type { FileSystem } from '../files/file-system.js';
import { format } from '../files/layout.js';
import { DamagedContent, parseSealedJson, sealedJson } from '../files/sealed-json.js';

/** Records of one kind in one partition at one moment. */
export interface Snapshot {
  readonly partition: string;
  readonly kind: string;
  /** Which part of the table it is. Absent in files of format 1, which hold all of it. */
  readonly part?: number;
  /** The number of the last commit that it holds. */
  readonly upTo: number;
  /** In the order of insertion. */
  readonly records: readonly unknown[];
}

/**
 * lowdb's own file adapter neither flushes what it writes nor notices damage; this one does both.
 * `read` throws `DamagedContent` and gives `null` for a file that does not exist.
 */
export class SnapshotFile implements Adapter<Snapshot> {
  readonly #files: FileSystem;
  readonly #path: string;
  /** Bytes of the last read or write. */
  size = 0;

  constructor(files: FileSystem, path: string) {
    this.#files = files;
    this.#path = path;
  }

  async read(): Promise<Snapshot | null> {
    const bytes = await this.#files.read(this.#path);
    if (bytes === undefined) return null;
    this.size = bytes.length;
    const read = parseSealedJson(bytes);
    if (!isSnapshot(read)) throw new DamagedContent('it is not a snapshot');
    return read;
  }

  /** The folder is left for the caller to flush. */
  async write({ records, ...head }: Snapshot): Promise<void> {
    this.size = await replaceFile(
      this.#files,
      this.#path,
      sealedJson({ format, ...head, count: records.length }, { records }),
    );
  }
}

const isSnapshot = (read: Record<string, unknown>): read is Record<string, unknown> & Snapshot =>
  typeof read['partition'] === 'string' &&
  typeof read['kind'] === 'string' &&
  typeof read['upTo'] === 'number' &&
  Array.isArray(read['records']);
