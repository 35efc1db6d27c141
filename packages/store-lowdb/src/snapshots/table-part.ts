/** A part of a table: as many of its records, in the order of insertion, as one file of its snapshot holds. */
import type { PartFile } from '../manifest/manifest-content.js';

export class TablePart {
  number: number;
  /** By id, in the order of insertion. Changed only after `touch`. */
  readonly rows = new Map<string, unknown>();
  /** What they take in a file, about. */
  bytes = 0;
  /** Absent before the first one was written. */
  file: PartFile | undefined;
  isDirty = false;
  #isHeld = false;
  #held: unknown[] | undefined;

  constructor(number: number) {
    this.number = number;
  }

  touch(): void {
    // Records are replaced and never changed, so a list of them stays as it is.
    if (this.#isHeld) this.#held ??= [...this.rows.values()];
    this.isDirty = true;
  }

  /** From now on, what it holds at this moment is what `take` will give. */
  hold(): void {
    this.#isHeld = true;
    this.isDirty = false;
  }

  take(): readonly unknown[] {
    const rows = this.#held ?? [...this.rows.values()];
    this.#isHeld = false;
    this.#held = undefined;
    return rows;
  }

  /** What was held was not written. */
  giveBack(): void {
    this.take();
    this.isDirty = true;
  }
}
