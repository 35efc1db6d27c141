/** Lets the event loop run during long work. */
import { setImmediate } from 'node:timers/promises';

/** Bytes to work through in one turn: a few milliseconds. */
const bytesPerTurn = 2 ** 20;

export class Turns {
  #left = bytesPerTurn;

  /** Call after processing this many bytes; if it returns true, call `next`. */
  spend(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left <= 0;
  }

  async next(): Promise<void> {
    this.#left = bytesPerTurn;
    await setImmediate();
  }
}
