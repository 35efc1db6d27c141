/** The lowdb adapter for snapshot files. */
import type { Adapter } from 'lowdb';
import { replaceFile } from '../files/atomic-file.js';
import { DamagedContent, decodeJson, encodeJson } from '../files/checksummed-json.js';
import type { FileSystem } from '../files/file-system.js';
import { format } from '../files/layout.js';

/** The records of one part of a table at one moment. */
export interface Snapshot {
  readonly partition: string;
  readonly kind: string;
  /** Absent in format 1, where a file holds a whole table. */
  readonly part?: number;
  /** The last commit it contains. */
  readonly upTo: number;
  /** In insertion order. */
  readonly records: readonly unknown[];
  /** The places of the records in the insertion order of their kind; absent if the kind has one table. */
  readonly places?: readonly number[];
}

/**
 * lowdb's own file adapter neither flushes nor detects damage; this one does both. `read` throws `DamagedContent` and
 * resolves to `null` for a missing file.
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
    return decodeSnapshot(bytes);
  }

  /** The caller flushes the folder. */
  async write({ records, places, ...head }: Snapshot): Promise<void> {
    const slices = encodeJson({ format, ...head, count: records.length }, { ...(places && { places }), records });
    this.size = await replaceFile(this.#files, this.#path, slices);
  }
}

/** Throws `DamagedContent`. */
export const decodeSnapshot = (bytes: Buffer): Snapshot => asSnapshot(decodeJson(bytes));

/** Throws `DamagedContent`. */
export function asSnapshot(content: Record<string, unknown>): Snapshot {
  if (!isSnapshot(content)) throw new DamagedContent('it is not a snapshot');
  return content;
}

const isSnapshot = (content: Record<string, unknown>): content is Record<string, unknown> & Snapshot =>
  typeof content['partition'] === 'string' &&
  typeof content['kind'] === 'string' &&
  typeof content['upTo'] === 'number' &&
  Array.isArray(content['records']);
