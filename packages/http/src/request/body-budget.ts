/** Memory budget for request bodies, across all requests of a server. */
import { TransportError } from '../answer/transport-error.js';

export class BodyBudget {
  #used = 0;

  constructor(readonly limit: number) {}

  /** Reserves bytes if available; returns whether it did. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.limit) return false;
    this.#used += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#used -= bytes;
  }
}

/** The share of one request. */
export class BodyShare {
  readonly #budget: BodyBudget;
  #taken = 0;
  #isReleased = false;

  constructor(budget: BodyBudget) {
    this.#budget = budget;
  }

  /** Grows the share to at least this size. Returns `SERVER_BUSY` if the budget is exhausted. */
  refuses(bytes: number): TransportError | null {
    if (bytes <= this.#taken || this.#isReleased) return null;
    const { limit } = this.#budget;
    if (!this.#budget.take(bytes - this.#taken)) {
      return new TransportError('SERVER_BUSY', { facts: { limit }, headers: { 'Retry-After': '1' } });
    }
    this.#taken = bytes;
    return null;
  }

  /** Of the body, as far as it was read. */
  get bytes(): number {
    return this.#taken;
  }

  release(): void {
    if (!this.#isReleased) this.#budget.giveBack(this.#taken);
    this.#isReleased = true;
  }
}
