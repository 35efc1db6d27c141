/** One part of a table: the records of one snapshot file, in insertion order. */
import type { PartFile } from '../manifest/manifest-content.js';
import type { RecordLines } from './record-lines.js';
import { StoredRow } from './stored-rows.js';

/** The rows loaded from a file, and the placeholder for each of them. */
export interface LoadedRows {
  readonly lines: RecordLines;
  readonly placeholder: unknown;
}

export class TablePart {
  number: number;
  /** Present until the first change. */
  #loaded: LoadedRows | undefined;
  #rows: Map<string, unknown> | undefined;
  /** Estimated size in a file. */
  bytes = 0;
  /** Absent until first written. */
  file: PartFile | undefined;
  isDirty = false;
  #isFrozen = false;
  /** Rows at the time of `freeze`, copied on the first change after it. */
  #frozen: ReadonlyMap<string, unknown> | undefined;

  constructor(number: number, loaded?: LoadedRows) {
    this.number = number;
    this.#loaded = loaded;
  }

  /**
   * By id; a `StoredRow` or `PackedRow` stands for a row that is not in memory as a value. Call `beforeChange` before
   * changing it.
   */
  get rows(): Map<string, unknown> {
    if (this.#rows !== undefined) return this.#rows;
    this.#rows = new Map(this.entries());
    this.#loaded = undefined;
    return this.#rows;
  }

  get size(): number {
    return this.#loaded?.lines.size ?? this.rows.size;
  }

  *entries(): IterableIterator<[id: string, row: unknown]> {
    const { lines, placeholder } = this.#loaded ?? {};
    if (lines === undefined) yield* this.#rows ?? [];
    else for (const id of lines.ids()) yield [id, placeholder];
  }

  /** `wasLoadedHere`: whether the row was loaded from the file of this part. */
  has(id: string, wasLoadedHere: boolean): boolean {
    return this.#loaded === undefined ? this.rows.has(id) : wasLoadedHere;
  }

  /** The row with an id for which `has` is true. */
  get(id: string): unknown {
    return this.#loaded === undefined ? this.rows.get(id) : this.#loaded.placeholder;
  }

  /** Whether it is unchanged since it was loaded. */
  get isLoaded(): boolean {
    return this.#loaded !== undefined;
  }

  /** Removes repeated ids, which a hand-edited file may have: the last row counts, at its own place. */
  dropRepeated(): void {
    const rows = new Map<string, unknown>();
    for (const [id, row] of this.entries()) {
      rows.delete(id);
      rows.set(id, row);
    }
    this.beforeChange();
    this.#rows = rows;
    this.#loaded = undefined;
  }

  beforeChange(): void {
    // A shallow copy suffices: records are replaced, never mutated.
    if (this.#isFrozen) this.#frozen ??= new Map(this.rows);
    this.isDirty = true;
  }

  /** Captures the current rows for `takeFrozen`. */
  freeze(): void {
    this.#isFrozen = true;
    this.isDirty = false;
  }

  takeFrozen(): ReadonlyMap<string, unknown> {
    const rows = this.#frozen ?? new Map(this.rows);
    this.#isFrozen = false;
    this.#frozen = undefined;
    return rows;
  }

  /** Drops the rows that are now in `file` from memory, except those that have changed since. */
  unload(rows: ReadonlyMap<string, unknown>, file: string): void {
    const stored = new StoredRow(file);
    for (const [id, row] of rows) if (this.rows.get(id) === row) this.rows.set(id, stored);
  }

  /** Call if the frozen rows were not written. */
  discardFrozen(): void {
    this.takeFrozen();
    this.isDirty = true;
  }
}
