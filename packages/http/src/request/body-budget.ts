/** Memory budget for request bodies, across all requests of a server and shared out by caller. */
import { TransportError } from '../answer/transport-error.js';
import { Holdings } from '../limits/shares.js';

export class BodyBudget {
  readonly #held = new Holdings();

  constructor(readonly limit: number) {}

  /** Reserves bytes for a body of this holder, in addition to those it has, if available; returns whether it did. */
  take(holder: unknown, bytes: number, taken: number): boolean {
    return this.#held.take(holder, bytes, this.limit, taken);
  }

  giveBack(holder: unknown, bytes: number): void {
    this.#held.giveBack(holder, bytes);
  }
}

/** The share of one request. */
export class BodyShare {
  #taken = 0;
  #isReleased = false;

  constructor(
    private readonly budget: BodyBudget,
    /** Whose request it is; of strangers, each request counts for itself. */
    private readonly holder?: string,
  ) {}

  /** Grows the share to at least this size. Returns `SERVER_BUSY` if the budget is exhausted. */
  refuses(bytes: number): TransportError | null {
    if (bytes <= this.#taken || this.#isReleased) return null;
    const { limit } = this.budget;
    if (!this.budget.take(this.holder ?? this, bytes - this.#taken, this.#taken)) {
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
    if (!this.#isReleased) this.budget.giveBack(this.holder ?? this, this.#taken);
    this.#isReleased = true;
  }
}
