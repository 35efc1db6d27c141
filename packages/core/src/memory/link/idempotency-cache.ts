/** Answers by idempotency key; the oldest are evicted beyond a limit. */
export class IdempotencyCache {
  readonly #answers = new Map<string, string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The earlier answer for `key`, or the result of `answer`. */
  once(key: string, answer: () => string): string {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const created = answer();
    this.#answers.set(key, created);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#limit) break;
      this.#answers.delete(oldest);
    }
    return created;
  }
}
