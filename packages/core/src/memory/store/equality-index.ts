/** Index of records by their value at one path, in insertion order. */
import type { EntryList } from './entries.js';
import { fieldAt, type Entry } from './entry.js';
import type { Derived } from './index-budget.js';
import { eachInSlices } from './slices.js';
import { SortedList } from './sorted-list.js';

/** Indexed values. Lists are indexed by their elements, objects not at all. */
export type IndexKey = string | number | boolean | null;

const absent: readonly IndexKey[] = [null];

/** The keys under which a value is found: a superset of what `eq` matches, so candidates must be filtered. */
export function indexKeys(found: unknown): readonly IndexKey[] {
  if (found === undefined || found === null) return absent;
  if (Array.isArray(found)) return [...new Set(found.flatMap((item) => indexKeys(item)))];
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? [found] : [];
}

export const bySeq = (a: Entry, b: Entry): number => a.seq - b.seq;

/** Approximate bytes of a key with one record, and of each further record. */
const KEY_BYTES = 100;
const ENTRY_BYTES = 9;

export class EqualityIndex implements Derived {
  readonly #path: string;
  /** Most keys of large tables have one record, which is stored without a list. */
  readonly #found = new Map<IndexKey, Entry | SortedList<Entry>>();

  #entryCount = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** `entries` must be in insertion order. */
  static async build(path: string, entries: EntryList): Promise<EqualityIndex> {
    const index = new EqualityIndex(path);
    await eachInSlices(entries, (entry) => {
      index.change(undefined, entry);
    });
    return index;
  }

  get bytes(): number {
    return KEY_BYTES * this.#found.size + ENTRY_BYTES * this.#entryCount;
  }

  /** See `ChangeFollower`. */
  change(before: Entry | undefined, after: Entry | undefined): void {
    const left = before === undefined ? [] : indexKeys(fieldAt(before, this.#path));
    const entered = after === undefined ? [] : indexKeys(fieldAt(after, this.#path));
    for (const key of left) if (before !== undefined && !entered.includes(key)) this.#remove(key, before);
    for (const key of entered) {
      if (after === undefined) continue;
      if (left.includes(key)) this.#replace(key, after);
      else this.#insert(key, after);
    }
  }

  count(key: IndexKey): number {
    const found = this.#found.get(key);
    if (found === undefined) return 0;
    return found instanceof SortedList ? found.length : 1;
  }

  entries(key: IndexKey): Iterable<Entry> {
    const found = this.#found.get(key);
    if (found === undefined) return [];
    return found instanceof SortedList ? found : [found];
  }

  #insert(key: IndexKey, entry: Entry): void {
    this.#entryCount += 1;
    const found = this.#found.get(key);
    if (found === undefined) this.#found.set(key, entry);
    else if (found instanceof SortedList) found.insert(entry);
    else this.#found.set(key, new SortedList(bySeq, [found, entry].sort(bySeq)));
  }

  #replace(key: IndexKey, entry: Entry): void {
    const found = this.#found.get(key);
    if (found instanceof SortedList) found.replace(entry);
    else this.#found.set(key, entry);
  }

  #remove(key: IndexKey, entry: Entry): void {
    this.#entryCount -= 1;
    const found = this.#found.get(key);
    if (!(found instanceof SortedList)) this.#found.delete(key);
    else {
      found.remove(entry);
      if (found.length === 0) this.#found.delete(key);
    }
  }
}
