/** Index of records by their value at one path, in insertion order. */
import type { Condition, Json } from '../../records/index.js';
import type { EntryList } from './entries.js';
import { type Entry, fieldAt } from './entry.js';
import { eachInSlices } from './slices.js';
import { SortedList } from './sorted-list.js';

/** Indexed values. Lists are indexed by their elements, objects not at all. */
export type IndexKey = string | number | boolean | null;

const absent: readonly IndexKey[] = [null];

/** The keys under which a value is found: a superset of what `eq` matches, so candidates must be filtered. */
export function indexKeys(value: unknown): readonly IndexKey[] {
  if (value === undefined || value === null) return absent;
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => indexKeys(item)))];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [value] : [];
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
    const oldKeys = before === undefined ? [] : indexKeys(fieldAt(before, this.#path));
    const entered = after === undefined ? [] : indexKeys(fieldAt(after, this.#path));
    for (const key of oldKeys) if (before !== undefined && !entered.includes(key)) this.#remove(key, before);
    for (const key of entered) {
      if (after === undefined) continue;
      if (oldKeys.includes(key)) this.#replace(key, after);
      else this.#insert(key, after);
    }
  }

  count(key: IndexKey): number {
    const entries = this.#found.get(key);
    if (entries === undefined) return 0;
    return entries instanceof SortedList ? entries.length : 1;
  }

  entries(key: IndexKey): Iterable<Entry> {
    const entries = this.#found.get(key);
    if (entries === undefined) return [];
    return entries instanceof SortedList ? entries : [entries];
  }

  #insert(key: IndexKey, entry: Entry): void {
    this.#entryCount += 1;
    const entries = this.#found.get(key);
    if (entries === undefined) this.#found.set(key, entry);
    else if (entries instanceof SortedList) entries.insert(entry);
    else this.#found.set(key, new SortedList(bySeq, [entries, entry].sort(bySeq)));
  }

  #replace(key: IndexKey, entry: Entry): void {
    const entries = this.#found.get(key);
    if (entries instanceof SortedList) entries.replace(entry);
    else this.#found.set(key, entry);
  }

  #remove(key: IndexKey, entry: Entry): void {
    this.#entryCount -= 1;
    const entries = this.#found.get(key);
    if (!(entries instanceof SortedList)) this.#found.delete(key);
    else {
      entries.remove(entry);
      if (entries.length === 0) this.#found.delete(key);
    }
  }
}

/** A structure derived from records, which can be dropped and rebuilt at any time. */
export interface Derived {
  /** Approximate size. */
  readonly bytes: number;
}

export const DEFAULT_INDEX_BYTES = 256 * 1024 * 1024;

/** Evicts the least recently used structure first. The one in use is never evicted, however large it is. */
export class IndexBudget {
  readonly #limit: number;
  /** Least recently used first. */
  readonly #derived = new Map<Derived, { readonly drop: () => void; bytes: number }>();
  #bytes = 0;

  constructor(limit = DEFAULT_INDEX_BYTES) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Marks as most recently used. `drop` is called on eviction. */
  use(derived: Derived, drop: () => void): void {
    this.forget(derived);
    this.#derived.set(derived, { drop, bytes: derived.bytes });
    this.#bytes += derived.bytes;
    for (const [oldest, entry] of this.#derived) {
      if (this.#bytes <= this.#limit || oldest === derived) return;
      this.forget(oldest);
      entry.drop();
    }
  }

  /** Removes without calling `drop`. */
  forget(derived: Derived): void {
    this.#bytes -= this.#derived.get(derived)?.bytes ?? 0;
    this.#derived.delete(derived);
  }
}

/** Every record that meets the condition has one of `keys` at `path`. */
export interface IndexProbe {
  readonly path: string;
  readonly keys: readonly IndexKey[];
}

/** Probes that must hold: from the condition itself or from the parts of a top-level `all`. */
export function indexProbes(condition: Condition, paths: ReadonlySet<string>): IndexProbe[] {
  if ('all' in condition) return condition.all.flatMap((part) => indexProbes(part, paths));
  if (!('path' in condition) || !paths.has(condition.path)) return [];
  const values = condition.op === 'eq' ? [condition.value] : condition.op === 'in' ? condition.value : undefined;
  return values?.every(isKey) ? [{ path: condition.path, keys: [...new Set(values)] }] : [];
}

const isKey = (value: Json): value is IndexKey => typeof value !== 'object' || value === null;
