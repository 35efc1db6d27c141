/** Reads rows that are kept in their files. */
import { join } from 'node:path';
import { DamagedContent } from '../files/checksummed-json.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import { PackedRow } from './packed-row.js';
import { SnapshotFile } from './snapshot-file.js';
import { StoredRow } from './stored-row.js';

type Rows = ReadonlyMap<string, unknown>;

export class StoredRows {
  readonly #files: FileSystem;
  readonly #layout: Layout;
  /** The last file, because pages are read one after another. A file never changes. */
  #recent: { readonly file: string; readonly rows: Promise<Rows | undefined> } | undefined;

  constructor(files: FileSystem, layout: Layout) {
    this.#files = files;
    this.#layout = layout;
  }

  /**
   * The rows, with those in files read; `undefined` if a file is gone, as when a checkpoint has just replaced it. Rejects
   * with `STORE_UNAVAILABLE` if one is damaged.
   */
  async resolve(
    rows: Iterable<readonly [id: string, row: unknown]>,
  ): Promise<[id: string, row: unknown][] | undefined> {
    const resolved: [string, unknown][] = [];
    for (const [id, row] of rows) {
      if (!(row instanceof StoredRow)) {
        resolved.push([id, row instanceof PackedRow ? row.textOf(id) : row]);
        continue;
      }
      const inFile = await this.#read(row.file);
      if (inFile === undefined) return undefined;
      resolved.push([id, inFile.get(id)]);
    }
    return resolved;
  }

  /** As `resolve`, of files that nothing removes meanwhile. */
  async resolveListed(rows: Iterable<readonly [id: string, row: unknown]>): Promise<unknown[]> {
    const resolved = await this.resolve(rows);
    if (resolved !== undefined) return resolved.map(([, row]) => row);
    throw unavailable(`a file of history in ${this.#layout.snapshots} is missing. Restore a good copy of it`);
  }

  #read(file: string): Promise<Rows | undefined> {
    if (this.#recent?.file === file) return this.#recent.rows;
    const rows = this.#load(file);
    const recent = { file, rows };
    this.#recent = recent;
    const forget = (): void => {
      if (this.#recent === recent) this.#recent = undefined;
    };
    rows.then((found) => (found === undefined ? forget() : undefined), forget);
    return rows;
  }

  async #load(file: string): Promise<Rows | undefined> {
    const path = join(this.#layout.folder, file);
    try {
      const snapshot = await new SnapshotFile(this.#files, path).read();
      return snapshot === null
        ? undefined
        : new Map((snapshot.records as readonly { id: string }[]).map((row) => [row.id, row]));
    } catch (error) {
      if (!(error instanceof DamagedContent)) throw error;
      throw unavailable(`${path} is damaged: ${error.message}. Restore a good copy of it`, error);
    }
  }
}
