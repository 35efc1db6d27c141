/** A sorted list in chunks, so that insertion, removal and access by position stay cheap at a million items. */

/** Initial size of chunks; they are split at twice this size. */
const chunkSize = 512;

/** `compare` must be a total order in which only an item itself compares as 0. */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number;
  /** No chunk is empty. */
  readonly #chunks: T[][] = [];
  #length = 0;

  /** `items` must be sorted. */
  constructor(compare: (a: T, b: T) => number, items: readonly T[] = []) {
    this.#compare = compare;
    for (let at = 0; at < items.length; at += chunkSize) this.#chunks.push(items.slice(at, at + chunkSize));
    this.#length = items.length;
  }

  get length(): number {
    return this.#length;
  }

  insert(item: T): void {
    const at = Math.min(this.#chunkFor(item), this.#chunks.length - 1);
    const chunk = this.#chunks[at];
    this.#length += 1;
    if (chunk === undefined) this.#chunks.push([item]);
    else {
      chunk.splice(this.#indexIn(chunk, item), 0, item);
      if (chunk.length >= 2 * chunkSize) this.#split(at, chunk);
    }
  }

  /** No-op if the item is not in the list. */
  remove(item: T): void {
    const at = this.#chunkFor(item);
    const chunk = this.#chunks[at];
    const index = chunk === undefined ? 0 : this.#indexIn(chunk, item);
    if (chunk?.[index] === undefined || this.#compare(chunk[index], item) !== 0) return;
    chunk.splice(index, 1);
    this.#length -= 1;
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** Replaces the item that compares as equal. */
  replace(item: T): void {
    const chunk = this.#chunks[this.#chunkFor(item)];
    if (chunk !== undefined) chunk[this.#indexIn(chunk, item)] = item;
  }

  /** Like `Array.prototype.slice` for positions from 0 on. */
  slice(start: number, end: number): T[] {
    const items: T[] = [];
    let before = 0;
    for (const chunk of this.#chunks) {
      if (before >= end) break;
      const next = before + chunk.length;
      if (next > start) items.push(...chunk.slice(Math.max(0, start - before), end - before));
      before = next;
    }
    return items;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  /** Index of the first chunk whose last item is not before `item`, or the number of chunks. */
  #chunkFor(item: T): number {
    const chunks = this.#chunks;
    const last = chunks.at(-1)?.at(-1);
    if (last !== undefined && this.#compare(last, item) < 0) return chunks.length;
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(chunks[middle]?.at(-1) as T, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #indexIn(chunk: readonly T[], item: T): number {
    const last = chunk.at(-1);
    if (last !== undefined && this.#compare(last, item) < 0) return chunk.length;
    let low = 0;
    let high = chunk.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(chunk[middle] as T, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #split(at: number, chunk: T[]): void {
    const half = chunk.length >>> 1;
    const isLast = at === this.#chunks.length - 1;
    // Lists mostly grow at the end: splitting off only the last item there keeps chunks full.
    this.#chunks.splice(at + 1, 0, chunk.splice(isLast ? chunk.length - 1 : half));
  }
}
