/** The records that meet one condition, kept sorted across changes. */
import { compareAt, compareValues, matches } from '../../records/index.js';
import type { Condition, Order } from '../../records/index.js';
import type { ChangeFollower } from './change-logs.js';
import type { EntryList } from './entries.js';
import { fieldAt, type Entry } from './entry.js';
import { bySeq, type Derived } from './equality-index.js';
import { eachInSlices, sortInSlices } from './slices.js';
import { SortedList } from './sorted-list.js';

/** Approximate bytes of an empty list and of each entry. */
const LIST_BYTES = 1_000;
const ENTRY_BYTES = 9;

/** One list in insertion order, and an ascending one for each order that was queried. */
export class SortedRecords implements Derived {
  readonly #where: Condition;
  readonly #inserted: SortedList<Entry>;
  readonly #byPath = new Map<string, SortedList<Entry>>();

  private constructor(where: Condition, entries: readonly Entry[]) {
    this.#where = where;
    this.#inserted = new SortedList(bySeq, entries);
  }

  /** `candidates` must be in insertion order and include every record that meets the condition. */
  static async build(where: Condition, candidates: EntryList): Promise<SortedRecords> {
    const entries: Entry[] = [];
    // To look at a record may mean to parse it.
    const isEveryOne = 'all' in where && where.all.length === 0;
    await eachInSlices(candidates, (entry) => {
      if (isEveryOne || matches(entry.value, where)) entries.push(entry);
    });
    return new SortedRecords(where, entries);
  }

  get length(): number {
    return this.#inserted.length;
  }

  get bytes(): number {
    return (1 + this.#byPath.size) * (LIST_BYTES + ENTRY_BYTES * this.length);
  }

  isSortedBy(path: string): boolean {
    return this.#byPath.has(path);
  }

  entries(): Entry[] {
    return this.#inserted.slice(0, this.#inserted.length);
  }

  /** A list in the order of `path` that is not installed yet. `sorted` must hold all entries, ascending. */
  ordered(path: string, sorted: readonly Entry[]): OrderedRecords {
    const list = new SortedList(byPath(path), sorted);
    return {
      change: (before, after) => {
        this.#change(before, after, [], [[path, list]]);
      },
      keep: () => void this.#byPath.set(path, list),
    };
  }

  /** In the order of a path for which `isSortedBy` holds, otherwise in insertion order. */
  page(order: Order | undefined, offset: number, limit: number): Entry[] {
    const list = (order && this.#byPath.get(order.path)) ?? this.#inserted;
    if (order?.direction !== 'desc') return list.slice(offset, offset + limit);
    const end = list.length - offset;
    return list.slice(Math.max(0, end - limit), end).reverse();
  }

  /** See `ChangeFollower`. */
  change(before: Entry | undefined, after: Entry | undefined): void {
    this.#change(before, after, [this.#inserted], this.#byPath);
  }

  #change(
    before: Entry | undefined,
    after: Entry | undefined,
    inserted: readonly SortedList<Entry>[],
    byPath: Iterable<readonly [string, SortedList<Entry>]>,
  ): void {
    const left = before !== undefined && matches(before.value, this.#where) ? before : undefined;
    const entered = after !== undefined && matches(after.value, this.#where) ? after : undefined;
    if (left === undefined && entered === undefined) return;
    for (const list of inserted) move(list, left, entered, true);
    for (const [path, list] of byPath) {
      move(list, left, entered, left !== undefined && entered !== undefined && isEqualAt(left, entered, path));
    }
  }
}

/** A list that follows changes; `keep` installs it once it is complete. */
export interface OrderedRecords extends ChangeFollower {
  keep(): void;
}

function move(
  list: SortedList<Entry>,
  left: Entry | undefined,
  entered: Entry | undefined,
  staysInPlace: boolean,
): void {
  if (left && entered && staysInPlace) list.replace(entered);
  else {
    if (left) list.remove(left);
    if (entered) list.insert(entered);
  }
}

const isEqualAt = (a: Entry, b: Entry, path: string): boolean => compareAt(a.value, b.value, path) === 0;

const byPath =
  (path: string) =>
  (a: Entry, b: Entry): number =>
    compareAt(a.value, b.value, path) || a.seq - b.seq;

/** An entry with its value at a path, looked up once. */
export interface Keyed {
  readonly entry: Entry;
  readonly key: unknown;
}

export const keyedBy =
  (path: string) =>
  (entry: Entry): Keyed => ({ entry, key: fieldAt(entry, path) });

/** Equal values are in insertion order, reversed for `desc`. */
export const byKey = (direction: Order['direction']): ((a: Keyed, b: Keyed) => number) =>
  direction === 'desc'
    ? (a, b) => compareValues(b.key, a.key) || b.entry.seq - a.entry.seq
    : (a, b) => compareValues(a.key, b.key) || a.entry.seq - b.entry.seq;

/** Sorts ascending, in slices. */
export async function sortedBy(entries: readonly Entry[], path: string): Promise<Entry[]> {
  const keyed: Keyed[] = [];
  const key = keyedBy(path);
  await eachInSlices(entries, (entry) => keyed.push(key(entry)));
  return (await sortInSlices(keyed, byKey('asc'))).map(({ entry }) => entry);
}
