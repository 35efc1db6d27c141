/** What the engine has answered since the policy last changed: players look at the same things again and again in between. */
export class KnownAnswers {
  readonly #answers = new Map<string, unknown>();
  #revision = -1;

  constructor(private readonly revision: () => number) {}

  /** The answer under this key is not changed by those who get it. */
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
