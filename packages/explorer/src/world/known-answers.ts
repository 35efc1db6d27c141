/** A cache of engine responses, valid until the policy changes. */
export class KnownAnswers {
  readonly #answers = new Map<string, unknown>();
  #revision = -1;

  constructor(private readonly revision: () => number) {}

  /** Callers must not mutate the cached value. */
  async get<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const revision = this.revision();
    if (revision !== this.#revision) {
      this.#answers.clear();
      this.#revision = revision;
    }
    if (this.#answers.has(key)) return this.#answers.get(key) as T;
    const answer = await ask();
    if (this.#revision === this.revision()) this.#answers.set(key, answer);
    return answer;
  }
}
