/** A set of pending promises to wait for. They must not reject. */

export class InFlight {
  readonly #promises = new Set<Promise<void>>();

  add(promise: Promise<void>): void {
    const tracked = promise.finally(() => this.#promises.delete(tracked));
    this.#promises.add(tracked);
  }

  /** Resolves when fewer than `limit` are pending. */
  async below(limit: number): Promise<void> {
    while (this.#promises.size >= limit) await Promise.race(this.#promises);
  }

  /** Resolves when none is pending. */
  idle(): Promise<void> {
    return this.below(1);
  }
}
