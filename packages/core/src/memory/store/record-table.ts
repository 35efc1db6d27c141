/** The records of one kind in one partition: found by id, and by condition through indexes and selections. */
import { everything, matches, type Condition } from '../../records/index.js';
import type { RecordQuery } from '../../ports/index.js';
import type { Entry, RecordValue } from './entry.js';
import { bySeq, EqualityIndex, type IndexKey } from './equality-index.js';
import { pivotsOf, type Pivot } from './index-probe.js';
import { SortedRecords, sortedBy } from './sorted-records.js';
import { SortedRecordsCache } from './sorted-records-cache.js';

/** What is asked of an index. */
type Lookup = Pick<EqualityIndex, 'count' | 'entries'>;

export interface TableTuning {
  /** So many candidates are filtered and sorted on the spot: cheaper than looking after a selection. */
  readonly few: number;
  /** Selections kept at most. */
  readonly selections: number;
}

const defaultTuning: TableTuning = { few: 64, selections: 128 };

/** Values go in and come out as they are: whoever owns the table makes the copies. */
export class RecordTable {
  /** Iterates in the order of insertion: a `Map` leaves a key that is set again in its place. */
  readonly #entries = new Map<string, Entry>();
  readonly #indexedPaths: ReadonlySet<string>;
  readonly #tuning: TableTuning;
  /** Both are made at first use, so that the many small tables cost little. */
  #indexes: Map<string, EqualityIndex> | undefined;
  #selections: SortedRecordsCache | undefined;
  #nextSeq = 0;

  /** `indexedPaths`: those worth an index, see `indexedPaths` of the ports. */
  constructor(indexedPaths: ReadonlySet<string>, tuning: TableTuning = defaultTuning) {
    this.#indexedPaths = indexedPaths;
    this.#tuning = tuning;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): RecordValue | undefined {
    return this.#entries.get(id)?.value;
  }

  /** All records in the order of insertion. */
  *values(): IterableIterator<RecordValue> {
    for (const entry of this.#entries.values()) yield entry.value;
  }

  put(value: RecordValue): void {
    const before = this.#entries.get(value.id);
    const after: Entry = { seq: before?.seq ?? this.#nextSeq++, value };
    this.#entries.set(value.id, after);
    this.#changed(before, after);
  }

  delete(id: string): void {
    const before = this.#entries.get(id);
    if (before === undefined) return;
    this.#entries.delete(id);
    this.#changed(before, undefined);
  }

  find(query: RecordQuery): RecordValue[] {
    const where = query.where ?? everything;
    const offset = query.offset ?? 0;
    const limit = query.limit ?? Infinity;
    const known = this.#selections?.find(where);
    if (known !== undefined) return known.page(query.order, offset, limit).map(valueOf);
    const direct = this.#direct(where);
    if (direct === undefined) return this.#selection(where).page(query.order, offset, limit).map(valueOf);
    if (query.order === undefined) return direct.slice(offset, offset + limit).map(valueOf);
    const sorted = sortedBy(direct, query.order.path);
    if (query.order.direction === 'desc') sorted.reverse();
    return sorted.slice(offset, offset + limit).map(valueOf);
  }

  count(where: Condition): number {
    if ('all' in where && where.all.length === 0) return this.#entries.size;
    return this.#selections?.find(where)?.length ?? this.#direct(where)?.length ?? this.#selection(where).length;
  }

  /** The matching records in the order of insertion, where few enough have to be looked at. */
  #direct(where: Condition): Entry[] | undefined {
    let candidates: Iterable<Entry>;
    if (this.#entries.size <= this.#tuning.few) candidates = this.#entries.values();
    else {
      const pivot = this.#bestPivot(where);
      if (pivot === undefined || this.#countOf(pivot) > this.#tuning.few) return undefined;
      candidates = this.#candidates(pivot);
    }
    const found: Entry[] = [];
    for (const entry of candidates) if (matches(entry.value, where)) found.push(entry);
    return found;
  }

  #selection(where: Condition): SortedRecords {
    this.#selections ??= new SortedRecordsCache();
    const known = this.#selections.find(where);
    if (known !== undefined) return known;
    const pivot = this.#bestPivot(where);
    const selection = new SortedRecords(where, pivot === undefined ? this.#entries.values() : this.#candidates(pivot));
    this.#selections.add(where, { selection, pivot });
    this.#selections.trim({ count: this.#tuning.selections, weight: 16 * this.#entries.size });
    return selection;
  }

  #bestPivot(where: Condition): Pivot | undefined {
    const [best] = pivotsOf(where, this.#indexedPaths)
      .map((pivot) => ({ pivot, count: this.#countOf(pivot) }))
      .sort((a, b) => a.count - b.count);
    return best?.pivot;
  }

  #countOf({ path, keys }: Pivot): number {
    const index = this.#index(path);
    return keys.reduce<number>((sum, key) => sum + index.count(key), 0);
  }

  /** In the order of insertion, each once. */
  #candidates({ path, keys: [first = null, ...others] }: Pivot): Iterable<Entry> {
    const index = this.#index(path);
    if (others.length === 0) return index.entries(first);
    const found = new Set(index.entries(first));
    for (const key of others) for (const entry of index.entries(key)) found.add(entry);
    return [...found].sort(bySeq);
  }

  #index(path: string): Lookup {
    if (path === 'id') return this.#byId();
    this.#indexes ??= new Map<string, EqualityIndex>();
    const known = this.#indexes.get(path);
    if (known !== undefined) return known;
    const made = new EqualityIndex(path, this.#entries.values());
    this.#indexes.set(path, made);
    return made;
  }

  #byId(): Lookup {
    const entry = (key: IndexKey): Entry | undefined => (typeof key === 'string' ? this.#entries.get(key) : undefined);
    return { count: (key) => (entry(key) ? 1 : 0), entries: (key) => [entry(key) ?? []].flat() };
  }

  #changed(before: Entry | undefined, after: Entry | undefined): void {
    for (const index of this.#indexes?.values() ?? []) index.change(before, after);
    this.#selections?.change(before, after);
  }
}

const valueOf = (entry: Entry): RecordValue => entry.value;
