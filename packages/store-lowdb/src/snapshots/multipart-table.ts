/** A table in parts, so that a checkpoint writes only those that changed. */
import type { PartFile } from '../manifest/manifest-content.js';
import { StoredRow } from './stored-row.js';
import { TablePart } from './table-part.js';

/** The state of a table at one moment, for a checkpoint to write. */
export interface TableCapture {
  readonly table: MultipartTable;
  /** All parts, in insertion order. */
  readonly parts: readonly TablePart[];
  /** Those that differ from their file. */
  readonly changed: readonly TablePart[];
  /** Files that no part needs any more. */
  readonly orphans: readonly string[];
}

/** A part is split when its records exceed the target size by this factor. */
const splitFactor = 2;
/** Bounds the work of one capture; the rest waits for the next checkpoint. */
const maxSplitsPerCapture = 16;

export class MultipartTable {
  readonly partition: string;
  readonly kind: string;
  readonly nameOf: (part: number, upTo: number) => string;
  readonly #partBytes: number;
  #parts: TablePart[] = [];
  /** Built once there is more than one part. */
  #partOfId: Map<string, TablePart> | undefined;
  #orphans: string[] = [];
  #nextNumber = 1;
  isDirty = false;

  /** `partBytes`: target size of a part. `nameOf`: the file name of a part. */
  constructor(partition: string, kind: string, partBytes: number, nameOf: (part: number, upTo: number) => string) {
    this.partition = partition;
    this.kind = kind;
    this.#partBytes = partBytes;
    this.nameOf = nameOf;
  }

  get size(): number {
    return this.#parts.reduce((sum, { rows }) => sum + rows.size, 0);
  }

  /** The rows in insertion order; `StoredRow` for those that are only in their files. */
  *rows(offset = 0, limit = Infinity): IterableIterator<[id: string, row: unknown]> {
    let [skip, left] = [offset, limit];
    for (const { rows } of this.#parts) {
      if (skip >= rows.size) {
        skip -= rows.size;
        continue;
      }
      for (const row of rows) {
        if (skip-- > 0) continue;
        if (left-- <= 0) return;
        yield row;
      }
      skip = 0;
    }
  }

  get(id: string): unknown {
    return this.#find(id)?.rows.get(id);
  }

  get isEmpty(): boolean {
    return this.#parts.every(({ rows }) => rows.size === 0);
  }

  has(id: string): boolean {
    return this.#find(id) !== undefined;
  }

  /** `bytes`: estimated size of the record in a file. */
  put(id: string, row: unknown, bytes: number): void {
    const known = this.#find(id);
    const part = known ?? this.#partForInsert();
    if (known === undefined) {
      this.#partOfId?.set(id, part);
      part.bytes += bytes;
    }
    part.beforeChange();
    part.rows.set(id, row);
    this.isDirty = true;
  }

  delete(id: string): void {
    const part = this.#find(id);
    if (part === undefined) return;
    part.beforeChange();
    part.bytes -= part.bytes / part.rows.size;
    part.rows.delete(id);
    this.#partOfId?.delete(id);
    this.isDirty = true;
  }

  /** Adds the content of a file as the last part. `isKept`: in memory. */
  load<Row>(file: PartFile, number: number, rows: Iterable<Row>, idOf: (row: Row) => string, isKept: boolean): void {
    const part = this.#addPart(number);
    this.reserve(number);
    part.file = file;
    part.bytes = file.bytes;
    const index = this.#partOfId;
    const stored = new StoredRow(file.file);
    for (const row of rows) {
      const id = idOf(row);
      const other = index?.get(id);
      if (other !== undefined) this.delete(id);
      part.rows.set(id, isKept ? row : stored);
      index?.set(id, part);
    }
  }

  /** Declares a file obsolete once the next checkpoint has succeeded. */
  orphan(file: string): void {
    this.#orphans.push(file);
    this.isDirty = true;
  }

  /** Keeps a part number from being used again, so that the file of a damaged part is never overwritten. */
  reserve(number: number): void {
    this.#nextNumber = Math.max(this.#nextNumber, number + 1);
  }

  nextPartNumber(): number {
    return this.#nextNumber++;
  }

  /** Only one capture may be open: until it is written, or `restore` is called. */
  capture(): TableCapture {
    for (const { rows, file } of this.#parts) if (rows.size === 0 && file !== undefined) this.#orphans.push(file.file);
    this.#parts = this.#parts.filter(({ rows }) => rows.size > 0);
    this.#splitLarge();
    const changed = this.#parts.filter(({ isDirty }) => isDirty);
    for (const part of changed) part.freeze();
    const orphans = this.#orphans;
    this.#orphans = [];
    this.isDirty = false;
    return { table: this, parts: [...this.#parts], changed, orphans };
  }

  /** Undoes a capture that could not be written. */
  restore({ changed, orphans }: TableCapture): void {
    for (const part of changed) part.discardFrozen();
    this.#orphans.push(...orphans);
    this.isDirty = true;
  }

  /** Merges small neighbours; the next capture drops the emptied parts. */
  compact(): void {
    let target: TablePart | undefined;
    for (const part of this.#parts) {
      if (target === undefined || target.bytes + part.bytes > this.#partBytes) target = part;
      else this.#move(part, part.rows.keys(), target);
    }
  }

  #splitLarge(): void {
    let splits = maxSplitsPerCapture;
    for (const part of [...this.#parts]) {
      if (!part.isDirty || part.rows.size < 2 || part.bytes < splitFactor * this.#partBytes || splits-- <= 0) continue;
      const half = new TablePart(this.nextPartNumber());
      this.#partOfId ??= this.#buildIndex();
      this.#parts.splice(this.#parts.indexOf(part) + 1, 0, half);
      this.#move(part, [...part.rows.keys()].slice(part.rows.size >>> 1), half);
    }
  }

  #move(from: TablePart, ids: Iterable<string>, to: TablePart): void {
    from.beforeChange();
    to.beforeChange();
    this.isDirty = true;
    for (const id of [...ids]) {
      const bytes = from.bytes / from.rows.size;
      to.rows.set(id, from.rows.get(id));
      from.rows.delete(id);
      this.#partOfId?.set(id, to);
      from.bytes -= bytes;
      to.bytes += bytes;
    }
  }

  #find(id: string): TablePart | undefined {
    if (this.#partOfId !== undefined) return this.#partOfId.get(id);
    const [only] = this.#parts;
    return only?.rows.has(id) ? only : undefined;
  }

  #partForInsert(): TablePart {
    const last = this.#parts.at(-1);
    return last !== undefined && last.bytes < this.#partBytes ? last : this.#addPart(this.nextPartNumber());
  }

  #addPart(number: number): TablePart {
    if (this.#parts.length > 0) this.#partOfId ??= this.#buildIndex();
    const part = new TablePart(number);
    this.#parts.push(part);
    return part;
  }

  #buildIndex(): Map<string, TablePart> {
    const index = new Map<string, TablePart>();
    for (const part of this.#parts) for (const id of part.rows.keys()) index.set(id, part);
    return index;
  }
}
