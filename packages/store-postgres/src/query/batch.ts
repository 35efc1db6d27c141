/** Batches small queries of the same turn of the event loop into one statement. */

interface Pending<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

const KEYS_AT_MOST = 200;

export class Batch<Key, Value> {
  readonly #loadAll: (keys: readonly Key[]) => Promise<readonly Value[]>;
  #pending: Pending<Key, Value>[] = [];

  /** `loadAll` returns a result per key, in order. */
  constructor(loadAll: (keys: readonly Key[]) => Promise<readonly Value[]>) {
    this.#loadAll = loadAll;
  }

  load(key: Key): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      if (this.#pending.length === 0) setImmediate(() => void this.#flush());
      this.#pending.push({ key, resolve, reject });
    });
  }

  async #flush(): Promise<void> {
    const all = this.#pending;
    this.#pending = [];
    const batches: Pending<Key, Value>[][] = [];
    for (let from = 0; from < all.length; from += KEYS_AT_MOST) batches.push(all.slice(from, from + KEYS_AT_MOST));
    await Promise.all(batches.map((batch) => this.#loadBatch(batch)));
  }

  async #loadBatch(batch: readonly Pending<Key, Value>[]): Promise<void> {
    try {
      const values = await this.#loadAll(batch.map(({ key }) => key));
      for (const [at, { resolve }] of batch.entries()) resolve(values[at] as Value);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
