/** An LRU cache of sorted records, one entry per condition. */
import type { LRUCache } from 'lru-cache';
import { lruCache } from '../../lru-cache.js';
import { conditionKey, valueAt, type Condition } from '../../records/index.js';
import type { Entry } from './entry.js';
import { type IndexBudget, type IndexKey, indexKeys, type IndexProbe } from './equality-index.js';
import type { SortedRecords } from './sorted-records.js';

interface CacheEntry {
  readonly records: SortedRecords;
  readonly probe: IndexProbe | undefined;
}

export class SortedRecordsCache {
  readonly #entries: LRUCache<string, CacheEntry>;
  /** By path and key of their probe, so that a change is applied only where it may matter. */
  readonly #byProbe = new Map<string, Map<IndexKey, Set<SortedRecords>>>();
  readonly #others = new Set<SortedRecords>();

  /** `count` limits the number of entries, since every change has to be checked against each. */
  constructor(
    count: number,
    private readonly budget: IndexBudget,
  ) {
    this.#entries = lruCache(count, (entry) => this.#dropped(entry));
  }

  find(where: Condition): SortedRecords | undefined {
    const key = conditionKey(where);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#used(key, entry.records);
    return entry.records;
  }

  add(where: Condition, entry: CacheEntry): void {
    const key = conditionKey(where);
    this.#entries.set(key, entry);
    const { records, probe } = entry;
    if (probe === undefined) this.#others.add(records);
    else for (const value of probe.keys) this.#recordsAt(probe.path, value).add(records);
    this.#used(key, records);
  }

  /** Call after every use and after growth. */
  used(where: Condition, records: SortedRecords): void {
    this.#used(conditionKey(where), records);
  }

  #used(key: string, records: SortedRecords): void {
    if (this.#entries.peek(key)?.records !== records) return;
    this.budget.use(records, () => {
      this.#entries.delete(key);
    });
  }

  /** See `ChangeFollower`. */
  change(before: Entry | undefined, after: Entry | undefined): void {
    for (const records of this.#others) records.change(before, after);
    for (const records of this.#affected(before, after)) records.change(before, after);
  }

  dispose(): void {
    this.#entries.clear();
  }

  #affected(before: Entry | undefined, after: Entry | undefined): Set<SortedRecords> {
    const affected = new Set<SortedRecords>();
    for (const [path, byKey] of this.#byProbe) {
      for (const entry of [before, after]) {
        if (entry === undefined) continue;
        for (const key of indexKeys(valueAt(entry.value, path))) {
          for (const records of byKey.get(key) ?? []) affected.add(records);
        }
      }
    }
    return affected;
  }

  #dropped({ records, probe }: CacheEntry): void {
    this.#others.delete(records);
    this.budget.forget(records);
    for (const value of probe?.keys ?? []) {
      const byKey = this.#byProbe.get(probe?.path ?? '');
      const atKey = byKey?.get(value);
      atKey?.delete(records);
      if (atKey?.size === 0) byKey?.delete(value);
    }
  }

  #recordsAt(path: string, key: IndexKey): Set<SortedRecords> {
    const byKey = this.#byProbe.get(path) ?? new Map<IndexKey, Set<SortedRecords>>();
    this.#byProbe.set(path, byKey);
    const atKey = byKey.get(key) ?? new Set<SortedRecords>();
    byKey.set(key, atKey);
    return atKey;
  }
}
