/** Remembers what was answered under an idempotency key; the oldest keys are forgotten beyond a limit. */
export class AnsweredKeys {
  readonly #answers = new Map<string, string>();
  readonly #limit: number;

  constructor(limit = 100_000) {
    this.#limit = limit;
  }

  /** The answer given under `key` before, or the one that `answer` makes now. */
  once(key: string, answer: () => string): string {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const made = answer();
    this.#answers.set(key, made);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#limit) break;
      this.#answers.delete(oldest);
    }
    return made;
  }
}
