/** A table in parts, so that a checkpoint writes only those that changed. */
import type { PartFile } from '../manifest/manifest-content.js';
import { PackedRow } from './packed-row.js';
import { PackedTable } from './packed-table.js';
import type { RecordLines } from './record-lines.js';
import { StoredRow } from './stored-rows.js';
import { TablePart, type LoadedRows } from './table-part.js';

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
  /** The part of each row that is not in the file it was loaded from. Built once there is more than one part. */
  #partOfId: Map<string, TablePart> | undefined;
  #packed: PackedTable | undefined;
  readonly #partOfFile = new Map<RecordLines, TablePart>();
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
    return this.#parts.reduce((sum, part) => sum + part.size, 0);
  }

  /** The rows in insertion order, with placeholders for those that are only in their files. */
  *rows(offset = 0, limit = Infinity): IterableIterator<[id: string, row: unknown]> {
    let [skip, left] = [offset, limit];
    for (const part of this.#parts) {
      if (skip >= part.size) {
        skip -= part.size;
        continue;
      }
      for (const row of part.entries()) {
        if (skip-- > 0) continue;
        if (left-- <= 0) return;
        yield row;
      }
      skip = 0;
    }
  }

  get(id: string): unknown {
    return this.#find(id)?.get(id);
  }

  get isEmpty(): boolean {
    return this.#parts.every(({ size }) => size === 0);
  }

  has(id: string): boolean {
    return this.#find(id) !== undefined;
  }

  /** `bytes`: estimated size of the record in a file. */
  put(id: string, row: unknown, bytes: number): void {
    const existing = this.#find(id);
    const part = existing ?? this.#partForInsert();
    if (existing === undefined) {
      this.#partOfId?.set(id, part);
      part.bytes += bytes;
    }
    part.beforeChange();
    part.rows.set(id, row);
    this.isDirty = true;
  }

  delete(id: string): void {
    const part = this.#find(id);
    if (part !== undefined) this.#deleteFrom(part, id);
  }

  #deleteFrom(part: TablePart, id: string): void {
    part.beforeChange();
    part.bytes -= part.bytes / part.rows.size;
    part.rows.delete(id);
    this.#partOfId?.delete(id);
    this.isDirty = true;
  }

  /** Adds the content of a file as the last part. `isKept`: whether to keep the rows in memory. */
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

  /** The records that are kept as unparsed lines of their files; `undefined` if there are none. */
  get packed(): PackedTable | undefined {
    return this.#packed;
  }

  /**
   * Like `load`, but without parsing the records. `expected`: the number of records in all files. Rows that are not
   * kept take only the memory of their ids.
   */
  loadPacked(file: PartFile, number: number, read: RecordLines, isKept: boolean, expected: () => number): void {
    const packed = (this.#packed ??= new PackedTable(expected()));
    const lines = isKept ? read : read.idsOnly();
    if (this.#partOfId !== undefined && this.#partOfId.size > 0) for (const id of lines.ids()) this.delete(id);
    const part = this.#addPart(number, {
      lines,
      placeholder: isKept ? new PackedRow(packed) : new StoredRow(file.file),
    });
    this.reserve(number);
    part.file = file;
    part.bytes = file.bytes;
    this.#partOfFile.set(lines, part);
    let isRepeating = false;
    for (const repeated of packed.add(lines)) {
      const other = this.#partOfFile.get(repeated.lines);
      if (other === part) isRepeating = true;
      else if (other?.rows.has(repeated.id)) this.#deleteFrom(other, repeated.id);
    }
    if (!isRepeating) return;
    part.dropRepeated();
    this.isDirty = true;
  }

  /** Declares a file obsolete once the next checkpoint has succeeded. */
  orphan(file: string): void {
    this.#orphans.push(file);
    this.isDirty = true;
  }

  /** Prevents the reuse of a part number, so that the file of a damaged part is never overwritten. */
  reserve(number: number): void {
    this.#nextNumber = Math.max(this.#nextNumber, number + 1);
  }

  nextPartNumber(): number {
    return this.#nextNumber++;
  }

  /** Only one capture may be open: until it is written, or `restore` is called. */
  capture(): TableCapture {
    for (const { size, file } of this.#parts) if (size === 0 && file !== undefined) this.#orphans.push(file.file);
    this.#parts = this.#parts.filter(({ size }) => size > 0);
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
      if (!part.isDirty || part.size < 2 || part.bytes < splitFactor * this.#partBytes || splits-- <= 0) continue;
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
    const moved = this.#partOfId?.get(id);
    if (moved !== undefined) return moved;
    const file = this.#packed?.fileOf(id);
    const home = file && this.#partOfFile.get(file);
    if (home?.has(id, true)) return home;
    if (this.#partOfId !== undefined) return undefined;
    const [only] = this.#parts;
    return only?.has(id, false) ? only : undefined;
  }

  #partForInsert(): TablePart {
    const last = this.#parts.at(-1);
    return last !== undefined && last.bytes < this.#partBytes ? last : this.#addPart(this.nextPartNumber());
  }

  #addPart(number: number, loaded?: LoadedRows): TablePart {
    if (this.#parts.length > 0) this.#partOfId ??= this.#buildIndex();
    const part = new TablePart(number, loaded);
    this.#parts.push(part);
    return part;
  }

  #buildIndex(): Map<string, TablePart> {
    const index = new Map<string, TablePart>();
    for (const part of this.#parts) {
      // The rows of an unchanged part are found through its file.
      if (!part.isLoaded) for (const id of part.rows.keys()) index.set(id, part);
    }
    return index;
  }
}
