/** Reads rows from their snapshot files, with a cache of recent files. */
import { cloneJson } from '@blockwork/core/records';
import { join } from 'node:path';
import { DamagedContent, JsonText } from '../files/checksummed-json.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import { Turns } from '../files/turns.js';
import { PackedRow } from './packed-row.js';
import { pack } from './packed-snapshot.js';
import { ParsedCache } from './parsed-cache.js';
import type { RecordLines } from './record-lines.js';

/** Size of the cache of recently read files; the last one is cached whatever its size. */
const defaultCacheBytes = 16 * 2 ** 20;

/** A file as text: a page parses only its rows, and rows to be rewritten are not parsed at all. */
interface FileRows {
  readonly bytes: number;
  readonly lines: RecordLines;
  readonly rowOf: ReadonlyMap<string, number>;
}

type Rows = Iterable<readonly [id: string, row: unknown]>;

export class StoredRows {
  readonly #files: FileSystem;
  readonly #layout: Layout;
  readonly #cacheBytes: number;
  /**
   * Least recently read first. Retention, searches and checkpoints read pages of several files in turn, so caching a
   * single file would not suffice. Never stale, because a file never changes.
   */
  readonly #cache = new Map<string, Promise<FileRows | undefined>>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;
  /** Caches nothing, since parsed rows belong to the caller. */
  readonly #parsed = new ParsedCache(0);

  constructor(files: FileSystem, layout: Layout, cacheBytes = defaultCacheBytes) {
    this.#files = files;
    this.#layout = layout;
    this.#cacheBytes = cacheBytes;
  }

  /**
   * Copies of the rows, which belong to the caller, including those in files; `undefined` if a file is gone, as when a
   * checkpoint has just replaced it. Rejects with `STORE_UNAVAILABLE` if one is damaged.
   */
  async resolve(rows: Rows): Promise<unknown[] | undefined> {
    return this.#resolve(rows, (row) => (row instanceof JsonText ? (JSON.parse(row.text) as unknown) : cloneJson(row)));
  }

  /** The rows in the form to be written. Their files must not be removed meanwhile. */
  async resolveListed(rows: Rows): Promise<unknown[]> {
    const resolved = await this.#resolve(rows, (row) => row);
    if (resolved !== undefined) return resolved;
    throw unavailable(`a file of history in ${this.#layout.snapshots} is missing. Restore a good copy of it`);
  }

  /** `convert` is applied to each value or its `JsonText`. */
  async #resolve(rows: Rows, convert: (row: unknown) => unknown): Promise<unknown[] | undefined> {
    const resolved: unknown[] = [];
    let open: { readonly file: string; readonly rows: FileRows } | undefined;
    for (const [id, row] of rows) {
      if (!(row instanceof StoredRow)) {
        resolved.push(convert(row instanceof PackedRow ? row.textOf(id) : row));
        continue;
      }
      if (open?.file !== row.file) {
        const rows = await this.#read(row.file);
        if (rows === undefined) return undefined;
        open = { file: row.file, rows };
      }
      resolved.push(convert(new JsonText(this.#textIn(open, id))));
    }
    return resolved;
  }

  #textIn({ file, rows }: { readonly file: string; readonly rows: FileRows }, id: string): string {
    const row = rows.rowOf.get(id);
    if (row !== undefined) return rows.lines.textAt(row);
    throw this.#damaged(file, new DamagedContent(`it has no record "${id}"`));
  }

  #read(file: string): Promise<FileRows | undefined> {
    const rows = this.#cache.get(file) ?? this.#load(file);
    this.#cache.delete(file);
    this.#cache.set(file, rows);
    return rows;
  }

  #load(file: string): Promise<FileRows | undefined> {
    const rows = this.#parse(file);
    rows.then(
      (rows) => (rows === undefined ? this.#forget(file) : this.#keep(file, rows.bytes)),
      () => this.#forget(file),
    );
    return rows;
  }

  #keep(file: string, bytes: number): void {
    this.#bytesOf.set(file, bytes);
    this.#bytes += bytes;
    for (const oldest of this.#cache.keys()) {
      if (this.#bytes <= this.#cacheBytes || this.#cache.size === 1) return;
      // A file that is still being read is not counted yet.
      if (this.#bytesOf.has(oldest)) this.#forget(oldest);
    }
  }

  #forget(file: string): void {
    this.#bytes -= this.#bytesOf.get(file) ?? 0;
    this.#bytesOf.delete(file);
    this.#cache.delete(file);
  }

  async #parse(file: string): Promise<FileRows | undefined> {
    try {
      const bytes = await this.#files.read(join(this.#layout.folder, file));
      if (bytes === undefined) return undefined;
      const { lines } = await pack(bytes, this.#parsed, new Turns());
      const rowOf = new Map(Array.from(lines.ids(), (id, row) => [id, row]));
      return { bytes: bytes.length, lines, rowOf };
    } catch (error) {
      throw error instanceof DamagedContent ? this.#damaged(file, error) : error;
    }
  }

  #damaged(file: string, error: DamagedContent): Error {
    const path = join(this.#layout.folder, file);
    return unavailable(`${path} is damaged: ${error.message}. Restore a good copy of it`, error);
  }
}

/** One object serves all rows of a part, so that a row takes only the memory of its id. */
export class StoredRow {
  /** `file`: relative to the store's folder. */
  constructor(readonly file: string) {}
}
