/** One part of a table: the records of one snapshot file, in insertion order. */
import type { PartFile } from '../manifest/manifest-content.js';

export class TablePart {
  number: number;
  /** By id. Call `beforeChange` before changing it. */
  readonly rows = new Map<string, unknown>();
  /** Estimated size in a file. */
  bytes = 0;
  /** Absent until first written. */
  file: PartFile | undefined;
  isDirty = false;
  #isFrozen = false;
  /** Rows at the time of `freeze`, copied on the first change after it. */
  #frozen: unknown[] | undefined;

  constructor(number: number) {
    this.number = number;
  }

  beforeChange(): void {
    // A shallow copy suffices: records are replaced, never mutated.
    if (this.#isFrozen) this.#frozen ??= [...this.rows.values()];
    this.isDirty = true;
  }

  /** Captures the current rows for `takeFrozen`. */
  freeze(): void {
    this.#isFrozen = true;
    this.isDirty = false;
  }

  takeFrozen(): readonly unknown[] {
    const rows = this.#frozen ?? [...this.rows.values()];
    this.#isFrozen = false;
    this.#frozen = undefined;
    return rows;
  }

  /** Call if the frozen rows were not written. */
  discardFrozen(): void {
    this.takeFrozen();
    this.isDirty = true;
  }
}
