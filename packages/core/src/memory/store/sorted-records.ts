/** The records that meet one condition, kept sorted while records come and go. */
import {
  cloneJson,
  compareAt,
  compareValues,
  matches,
  valueAt,
  type Condition,
  type Order,
} from '../../records/index.js';
import type { Entry } from './entry.js';
import { bySeq } from './equality-index.js';
import { SortedList } from './sorted-list.js';

/** One ascending list for each path that was asked for; `undefined` stands for the order of insertion. */
export class SortedRecords {
  readonly #where: Condition;
  readonly #lists = new Map<string | undefined, SortedList<Entry>>();

  /** `candidates`, in the order of insertion, must hold every record that meets the condition. */
  constructor(where: Condition, candidates: Iterable<Entry>) {
    this.#where = cloneJson(where);
    const found: Entry[] = [];
    for (const entry of candidates) if (matches(entry.value, where)) found.push(entry);
    this.#lists.set(undefined, new SortedList(bySeq, found));
  }

  get length(): number {
    return this.#lists.values().next().value?.length ?? 0;
  }

  /** How many places in lists it takes up. */
  get weight(): number {
    return this.length * this.#lists.size;
  }

  page(order: Order | undefined, offset: number, limit: number): Entry[] {
    const list = this.#list(order?.path);
    if (order?.direction !== 'desc') return list.slice(offset, offset + limit);
    const end = list.length - offset;
    return list.slice(Math.max(0, end - limit), end).reverse();
  }

  /** Takes note that `before` gave way to `after`. */
  change(before: Entry | undefined, after: Entry | undefined): void {
    const left = before !== undefined && matches(before.value, this.#where) ? before : undefined;
    const entered = after !== undefined && matches(after.value, this.#where) ? after : undefined;
    if (left === undefined && entered === undefined) return;
    for (const [path, list] of this.#lists) {
      if (left && entered && staysInPlace(left, entered, path)) list.replace(entered);
      else {
        if (left) list.remove(left);
        if (entered) list.insert(entered);
      }
    }
  }

  #list(path: string | undefined): SortedList<Entry> {
    const known = this.#lists.get(path);
    if (known !== undefined) return known;
    const unsorted: Iterable<Entry> = this.#lists.values().next().value ?? [];
    const made = new SortedList<Entry>(byPath(path), sortedBy(unsorted, path));
    this.#lists.set(path, made);
    return made;
  }
}

const staysInPlace = (before: Entry, after: Entry, path: string | undefined): boolean =>
  path === undefined || compareAt(before.value, after.value, path) === 0;

const byPath = (path: string | undefined): ((a: Entry, b: Entry) => number) =>
  path === undefined ? bySeq : (a, b) => compareAt(a.value, b.value, path) || a.seq - b.seq;

/** Ascending; each record's value at `path` is looked up once. */
export function sortedBy(entries: Iterable<Entry>, path: string | undefined): Entry[] {
  if (path === undefined) return [...entries].sort(bySeq);
  return Array.from(entries, (entry) => ({ entry, key: valueAt(entry.value, path) }))
    .sort((a, b) => compareValues(a.key, b.key) || a.entry.seq - b.entry.seq)
    .map(({ entry }) => entry);
}
