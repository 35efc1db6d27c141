/** Promises under way, to be waited for together. They must not reject. */

export class InFlight {
  readonly #promises = new Set<Promise<void>>();

  add(promise: Promise<void>): void {
    const tracked = promise.finally(() => this.#promises.delete(tracked));
    this.#promises.add(tracked);
  }

  /** Resolves when fewer than `limit` are under way. */
  async below(limit: number): Promise<void> {
    while (this.#promises.size >= limit) await Promise.race(this.#promises);
  }

  /** Resolves when none is under way. */
  idle(): Promise<void> {
    return this.below(1);
  }
}
