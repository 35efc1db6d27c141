/** Work over data from outside in pieces of 10 ms, so that the rest of the process runs in between. */
import { setImmediate } from 'node:timers/promises';

/** How long work may go on end. */
const ON_END_MS = 10;

/** Work that may be interrupted wherever it yields. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** The result of the work, carried out in one piece. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export class LoopShare {
  #since: number;

  constructor(private readonly clock: { now(): number }) {
    this.#since = clock.now();
  }

  /** Asked by every loop after each step. */
  async giveWay(): Promise<void> {
    if (!this.#isUsed()) return;
    await setImmediate();
    this.#since = this.clock.now();
  }

  /** The result of the work, with the rest of the process running between its steps. */
  async carryOut<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      // No promise for each step: there are thousands.
      if (this.#isUsed()) await this.giveWay();
    }
  }

  #isUsed(): boolean {
    const now = this.clock.now();
    // A clock that was set back counts as well.
    return now - this.#since >= ON_END_MS || now < this.#since;
  }
}
