/** Work over data from outside in pieces of 10 ms, so that the rest of the process runs in between. */
import { setImmediate } from 'node:timers/promises';

/** How long work may go on end. */
const ON_END_MS = 10;

export class LoopShare {
  #since: number;

  constructor(private readonly clock: { now(): number }) {
    this.#since = clock.now();
  }

  /** Asked by every loop after each step. */
  async giveWay(): Promise<void> {
    const now = this.clock.now();
    // A clock that was set back counts as well.
    if (now - this.#since < ON_END_MS && now >= this.#since) return;
    await setImmediate();
    this.#since = this.clock.now();
  }
}
