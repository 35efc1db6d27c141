/** The memory budget that all indexes and sorted lists of a store share. */

/** A structure derived from records, which can be dropped and rebuilt at any time. */
export interface Derived {
  /** Approximate size. */
  readonly bytes: number;
}

export const DEFAULT_INDEX_BYTES = 256 * 1024 * 1024;

/** Evicts the least recently used structure first. The one in use is never evicted, however large it is. */
export class IndexBudget {
  readonly #limit: number;
  /** Least recently used first. */
  readonly #derived = new Map<Derived, { readonly drop: () => void; bytes: number }>();
  #bytes = 0;

  constructor(limit = DEFAULT_INDEX_BYTES) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Marks as most recently used. `drop` is called on eviction. */
  use(derived: Derived, drop: () => void): void {
    this.forget(derived);
    this.#derived.set(derived, { drop, bytes: derived.bytes });
    this.#bytes += derived.bytes;
    for (const [oldest, entry] of this.#derived) {
      if (this.#bytes <= this.#limit || oldest === derived) return;
      this.forget(oldest);
      entry.drop();
    }
  }

  /** Removes without calling `drop`. */
  forget(derived: Derived): void {
    this.#bytes -= this.#derived.get(derived)?.bytes ?? 0;
    this.#derived.delete(derived);
  }
}
