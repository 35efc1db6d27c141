/** Batches small queries of the same turn of the event loop into one statement. */

interface Waiting<Key, Answer> {
  readonly key: Key;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const TOGETHER_AT_MOST = 200;

export class Batch<Key, Answer> {
  readonly #load: (keys: readonly Key[]) => Promise<readonly Answer[]>;
  #waiting: Waiting<Key, Answer>[] = [];

  /** `load` returns a result per key, in order. */
  constructor(load: (keys: readonly Key[]) => Promise<readonly Answer[]>) {
    this.#load = load;
  }

  ask(key: Key): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => void this.#flush());
      this.#waiting.push({ key, resolve, reject });
    });
  }

  async #flush(): Promise<void> {
    const all = this.#waiting;
    this.#waiting = [];
    const pieces: Waiting<Key, Answer>[][] = [];
    for (let from = 0; from < all.length; from += TOGETHER_AT_MOST)
      pieces.push(all.slice(from, from + TOGETHER_AT_MOST));
    await Promise.all(pieces.map((piece) => this.#answer(piece)));
  }

  async #answer(asked: readonly Waiting<Key, Answer>[]): Promise<void> {
    try {
      const answers = await this.#load(asked.map(({ key }) => key));
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at] as Answer);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
