/** The clock of a shared store, as this process knows it: its own clock, and how far that is off. */
import type { Clock } from '../ports/index.js';

export class StoreClock implements Clock {
  #offset = 0;

  constructor(private readonly local: Clock) {}

  now(): number {
    return this.local.now() + this.#offset;
  }

  /** Asks for the time of the store. The offset stays while it is within what the round trip leaves open. */
  async synchronize(ask: () => Promise<number>): Promise<void> {
    const sent = this.local.now();
    const asked = await ask();
    const answered = this.local.now();
    const offset = asked - (sent + answered) / 2;
    if (Math.abs(offset - this.#offset) > (answered - sent) / 2) this.#offset = Math.round(offset);
  }
}
