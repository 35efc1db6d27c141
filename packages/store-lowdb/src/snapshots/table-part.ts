/** One part of a table: the records of one snapshot file, in insertion order. */
import type { PartFile } from '../manifest/manifest-content.js';
import { StoredRow } from './stored-row.js';

export class TablePart {
  number: number;
  /** By id; a `StoredRow` where the row is only in its file. Call `beforeChange` before changing it. */
  readonly rows = new Map<string, unknown>();
  /** Estimated size in a file. */
  bytes = 0;
  /** Absent until first written. */
  file: PartFile | undefined;
  isDirty = false;
  #isFrozen = false;
  /** Rows at the time of `freeze`, copied on the first change after it. */
  #frozen: ReadonlyMap<string, unknown> | undefined;

  constructor(number: number) {
    this.number = number;
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

  /** Keeps rows that are in `file` now in memory no longer, but those that have changed since. */
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
