/** A table as its snapshot keeps it: in parts, so that a checkpoint writes only those that changed. */
import type { PartFile } from '../manifest/manifest-content.js';
import { TablePart } from './table-part.js';

/** What a checkpoint writes of one table: what it holds at one moment. */
export interface TableCut {
  readonly table: PartedTable;
  /** All parts, in the order of insertion. */
  readonly parts: readonly TablePart[];
  /** Those that differ from their file. */
  readonly changed: readonly TablePart[];
  /** Files that none of the parts needs any more. */
  readonly orphans: readonly string[];
}

/** A part is cut in two when its records have grown to so many times the size it was meant to have. */
const tooLarge = 2;
/** So many are cut at once: the rest waits for the next checkpoint, and nobody for this one. */
const splitsAtOnce = 16;

export class PartedTable {
  readonly partition: string;
  readonly kind: string;
  readonly nameOf: (part: number, upTo: number) => string;
  readonly #partBytes: number;
  #parts: TablePart[] = [];
  /** Made when there is more than one part. */
  #partOfId: Map<string, TablePart> | undefined;
  #orphans: string[] = [];
  #nextNumber = 1;
  isDirty = false;

  /** `partBytes`: so much goes into one part. `nameOf`: how the file of a part is called. */
  constructor(partition: string, kind: string, partBytes: number, nameOf: (part: number, upTo: number) => string) {
    this.partition = partition;
    this.kind = kind;
    this.#partBytes = partBytes;
    this.nameOf = nameOf;
  }

  get isEmpty(): boolean {
    return this.#parts.every(({ rows }) => rows.size === 0);
  }

  has(id: string): boolean {
    return this.#find(id) !== undefined;
  }

  /** `bytes`: what the record takes in a file, about. */
  put(id: string, row: unknown, bytes: number): void {
    const known = this.#find(id);
    const part = known ?? this.#last();
    if (known === undefined) {
      this.#partOfId?.set(id, part);
      part.bytes += bytes;
    }
    part.touch();
    part.rows.set(id, row);
    this.isDirty = true;
  }

  delete(id: string): void {
    const part = this.#find(id);
    if (part === undefined) return;
    part.touch();
    part.bytes -= part.bytes / part.rows.size;
    part.rows.delete(id);
    this.#partOfId?.delete(id);
    this.isDirty = true;
  }

  /** Adds what a file holds, behind all others. */
  load<Row>(file: PartFile, number: number, rows: Iterable<Row>, idOf: (row: Row) => string): void {
    const part = this.#open(number);
    this.#nextNumber = Math.max(this.#nextNumber, number + 1);
    part.file = file;
    part.bytes = file.bytes;
    const index = this.#partOfId;
    for (const row of rows) {
      const id = idOf(row);
      const other = index?.get(id);
      if (other !== undefined) this.delete(id);
      part.rows.set(id, row);
      index?.set(id, part);
    }
  }

  /** A file that will not be needed once the next checkpoint has succeeded. */
  abandon(file: string): void {
    this.#orphans.push(file);
    this.isDirty = true;
  }

  newNumber(): number {
    return this.#nextNumber++;
  }

  /** Until it was written or `giveBack` was called, there can be no other one. */
  cut(): TableCut {
    for (const { rows, file } of this.#parts) if (rows.size === 0 && file !== undefined) this.#orphans.push(file.file);
    this.#parts = this.#parts.filter(({ rows }) => rows.size > 0);
    this.#splitLarge();
    const changed = this.#parts.filter(({ isDirty }) => isDirty);
    for (const part of changed) part.hold();
    const orphans = this.#orphans;
    this.#orphans = [];
    this.isDirty = false;
    return { table: this, parts: [...this.#parts], changed, orphans };
  }

  giveBack({ changed, orphans }: TableCut): void {
    for (const part of changed) part.giveBack();
    this.#orphans.push(...orphans);
    this.isDirty = true;
  }

  /** Puts small neighbours together; the next cut drops those that were emptied by that. */
  compact(): void {
    let before: TablePart | undefined;
    for (const part of this.#parts) {
      if (before === undefined || before.bytes + part.bytes > this.#partBytes) before = part;
      else this.#move(part, part.rows.keys(), before);
    }
  }

  #splitLarge(): void {
    let splits = splitsAtOnce;
    for (const part of [...this.#parts]) {
      if (!part.isDirty || part.rows.size < 2 || part.bytes < tooLarge * this.#partBytes || splits-- <= 0) continue;
      const half = new TablePart(this.newNumber());
      this.#partOfId ??= this.#indexed();
      this.#parts.splice(this.#parts.indexOf(part) + 1, 0, half);
      this.#move(part, [...part.rows.keys()].slice(part.rows.size >>> 1), half);
    }
  }

  #move(from: TablePart, ids: Iterable<string>, to: TablePart): void {
    from.touch();
    to.touch();
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

  #last(): TablePart {
    const last = this.#parts.at(-1);
    return last !== undefined && last.bytes < this.#partBytes ? last : this.#open(this.newNumber());
  }

  #open(number: number): TablePart {
    if (this.#parts.length > 0) this.#partOfId ??= this.#indexed();
    const part = new TablePart(number);
    this.#parts.push(part);
    return part;
  }

  #indexed(): Map<string, TablePart> {
    const index = new Map<string, TablePart>();
    for (const part of this.#parts) for (const id of part.rows.keys()) index.set(id, part);
    return index;
  }
}
