/** Reads rows that are kept in their files. */
import { join } from 'node:path';
import { cloneJson } from '@blockwork/core/records';
import { DamagedContent, JsonText } from '../files/checksummed-json.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import { Turns } from '../files/turns.js';
import { PackedRow } from './packed-row.js';
import { pack } from './packed-snapshot.js';
import { ParsedCache } from './parsed-cache.js';
import type { RecordLines } from './record-lines.js';
import { StoredRow } from './stored-row.js';

/** Of files that are kept because they were read lately; the last one is kept whatever its size. */
const defaultKeptBytes = 16 * 2 ** 20;

/** A file as text: of a page, only its rows are parsed, and what is written again is not parsed at all. */
interface FileRows {
  readonly bytes: number;
  readonly lines: RecordLines;
  readonly rowOf: ReadonlyMap<string, number>;
}

type Rows = Iterable<readonly [id: string, row: unknown]>;

export class StoredRows {
  readonly #files: FileSystem;
  readonly #layout: Layout;
  readonly #keptBytes: number;
  /**
   * The file that was read last is at the end. Retention, searches and checkpoints read pages of several files in turn, so one
   * file would not do. A file never changes.
   */
  readonly #kept = new Map<string, Promise<FileRows | undefined>>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;
  /** Rows that were parsed belong to their reader. */
  readonly #parsed = new ParsedCache(0);

  constructor(files: FileSystem, layout: Layout, keptBytes = defaultKeptBytes) {
    this.#files = files;
    this.#layout = layout;
    this.#keptBytes = keptBytes;
  }

  /**
   * The rows, with those in files read, as copies of the caller's own; `undefined` if a file is gone, as when a checkpoint has just
   * replaced it. Rejects with `STORE_UNAVAILABLE` if one is damaged.
   */
  async resolve(rows: Rows): Promise<unknown[] | undefined> {
    return this.#resolve(rows, (row) => (row instanceof JsonText ? (JSON.parse(row.text) as unknown) : cloneJson(row)));
  }

  /** As they are to be written, of files that nothing removes meanwhile. */
  async resolveListed(rows: Rows): Promise<unknown[]> {
    const resolved = await this.#resolve(rows, (row) => row);
    if (resolved !== undefined) return resolved;
    throw unavailable(`a file of history in ${this.#layout.snapshots} is missing. Restore a good copy of it`);
  }

  /** `taken`: of a value, or of the JSON of one. */
  async #resolve(rows: Rows, taken: (row: unknown) => unknown): Promise<unknown[] | undefined> {
    const resolved: unknown[] = [];
    let open: { readonly file: string; readonly found: FileRows } | undefined;
    for (const [id, row] of rows) {
      if (!(row instanceof StoredRow)) {
        resolved.push(taken(row instanceof PackedRow ? row.textOf(id) : row));
        continue;
      }
      if (open?.file !== row.file) {
        const found = await this.#read(row.file);
        if (found === undefined) return undefined;
        open = { file: row.file, found };
      }
      resolved.push(taken(new JsonText(this.#textIn(open, id))));
    }
    return resolved;
  }

  #textIn({ file, found }: { readonly file: string; readonly found: FileRows }, id: string): string {
    const row = found.rowOf.get(id);
    if (row !== undefined) return found.lines.textAt(row);
    throw this.#damaged(file, new DamagedContent(`it has no record "${id}"`));
  }

  #read(file: string): Promise<FileRows | undefined> {
    const rows = this.#kept.get(file) ?? this.#load(file);
    this.#kept.delete(file);
    this.#kept.set(file, rows);
    return rows;
  }

  #load(file: string): Promise<FileRows | undefined> {
    const rows = this.#parse(file);
    rows.then(
      (found) => (found === undefined ? this.#forget(file) : this.#keep(file, found.bytes)),
      () => this.#forget(file),
    );
    return rows;
  }

  #keep(file: string, bytes: number): void {
    this.#bytesOf.set(file, bytes);
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#keptBytes || this.#kept.size === 1) return;
      // One that is being read is not counted yet.
      if (this.#bytesOf.has(oldest)) this.#forget(oldest);
    }
  }

  #forget(file: string): void {
    this.#bytes -= this.#bytesOf.get(file) ?? 0;
    this.#bytesOf.delete(file);
    this.#kept.delete(file);
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
