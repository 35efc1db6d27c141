/** One budget of memory for everything that a store derives from its records in order to answer faster. */

/** Something derived, which can be dropped at any time and derived again. */
export interface Derived {
  /** Bytes, about. */
  readonly bytes: number;
}

export const DEFAULT_INDEX_BYTES = 256 * 1024 * 1024;

/** The least recently used goes first, whatever it is; what is in use stays, however large it is. */
export class IndexBudget {
  readonly #limit: number;
  /** Least recently used first. */
  readonly #kept = new Map<Derived, { readonly drop: () => void; bytes: number }>();
  #bytes = 0;

  constructor(limit = DEFAULT_INDEX_BYTES) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Notes that it is used now. `drop` is called when it has to go. */
  use(derived: Derived, drop: () => void): void {
    this.forget(derived);
    this.#kept.set(derived, { drop, bytes: derived.bytes });
    this.#bytes += derived.bytes;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#limit || oldest === derived) return;
      this.forget(oldest);
      kept.drop();
    }
  }

  /** It is gone already. */
  forget(derived: Derived): void {
    this.#bytes -= this.#kept.get(derived)?.bytes ?? 0;
    this.#kept.delete(derived);
  }
}
