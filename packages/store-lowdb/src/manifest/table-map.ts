/** A map keyed by partition and kind. */

export class TableMap<T> {
  readonly #partitions = new Map<string, Map<string, T>>();

  get(partition: string, kind: string): T | undefined {
    return this.#partitions.get(partition)?.get(kind);
  }

  has(partition: string, kind: string): boolean {
    return this.#partitions.get(partition)?.has(kind) ?? false;
  }

  set(partition: string, kind: string, value: T): void {
    let kinds = this.#partitions.get(partition);
    if (kinds === undefined) this.#partitions.set(partition, (kinds = new Map<string, T>()));
    kinds.set(kind, value);
  }

  delete(partition: string, kind: string): void {
    const kinds = this.#partitions.get(partition);
    kinds?.delete(kind);
    if (kinds?.size === 0) this.#partitions.delete(partition);
  }

  *[Symbol.iterator](): IterableIterator<{ partition: string; kind: string; value: T }> {
    for (const [partition, kinds] of this.#partitions) {
      for (const [kind, value] of kinds) yield { partition, kind, value };
    }
  }
}
