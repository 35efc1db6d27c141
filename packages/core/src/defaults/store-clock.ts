/** An estimate of a shared store's clock: the local clock plus an offset. */
import type { Clock } from '../ports/index.js';

export class StoreClock implements Clock {
  #offset = 0;

  constructor(private readonly local: Clock) {}

  now(): number {
    return this.local.now() + this.#offset;
  }

  /** Queries the store's time. The offset is kept while it is within the uncertainty of the round trip. */
  async synchronize(ask: () => Promise<number>): Promise<void> {
    const sent = this.local.now();
    const time = await ask();
    const answered = this.local.now();
    const offset = time - (sent + answered) / 2;
    if (Math.abs(offset - this.#offset) > (answered - sent) / 2) this.#offset = Math.round(offset);
  }
}
