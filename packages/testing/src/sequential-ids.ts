/** Predictable ids that count up. */
import type { Ids } from '@blockwork/core';

export class SequentialIds implements Ids {
  #last = 0;

  /** `00000000-0000-4000-8000-000000000001`, then `…002` and so on. */
  uuid(): string {
    this.#last += 1;
    return `00000000-0000-4000-8000-${this.#last.toString(16).padStart(12, '0')}`;
  }

  /** Counts on from this number, whatever was counted before. */
  startAgain(after: number): void {
    this.#last = after;
  }
}
