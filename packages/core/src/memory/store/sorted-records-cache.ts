/** An LRU cache of sorted records, one entry per condition. */
import { conditionKey, valueAt, type Condition } from '../../records/index.js';
import type { Entry } from './entry.js';
import { indexKeys, type IndexKey } from './equality-index.js';
import type { IndexBudget } from './index-budget.js';
import type { IndexProbe } from './index-probe.js';
import type { SortedRecords } from './sorted-records.js';

interface CacheEntry {
  readonly records: SortedRecords;
  readonly probe: IndexProbe | undefined;
}

export class SortedRecordsCache {
  /** Least recently used first. */
  readonly #kept = new Map<string, CacheEntry>();
  /** By path and key of their probe, so that a change is applied only where it may matter. */
  readonly #byProbe = new Map<string, Map<IndexKey, Set<SortedRecords>>>();
  readonly #others = new Set<SortedRecords>();

  /** `count` limits the number of entries, since every change has to be checked against each. */
  constructor(
    private readonly count: number,
    private readonly budget: IndexBudget,
  ) {}

  find(where: Condition): SortedRecords | undefined {
    const key = conditionKey(where);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    this.#used(key, kept.records);
    return kept.records;
  }

  add(where: Condition, kept: CacheEntry): void {
    const key = conditionKey(where);
    this.#kept.set(key, kept);
    const { records, probe } = kept;
    if (probe === undefined) this.#others.add(records);
    else for (const value of probe.keys) this.#recordsAt(probe.path, value).add(records);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.count || oldest === key) break;
      this.#drop(oldest);
    }
    this.#used(key, records);
  }

  /** Call after every use and after growth. */
  used(where: Condition, records: SortedRecords): void {
    this.#used(conditionKey(where), records);
  }

  #used(key: string, records: SortedRecords): void {
    if (this.#kept.get(key)?.records !== records) return;
    this.budget.use(records, () => {
      this.#drop(key);
    });
  }

  /** See `ChangeFollower`. */
  change(before: Entry | undefined, after: Entry | undefined): void {
    for (const records of this.#others) records.change(before, after);
    for (const records of this.#affected(before, after)) records.change(before, after);
  }

  dispose(): void {
    for (const key of [...this.#kept.keys()]) this.#drop(key);
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

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    const { records, probe } = kept;
    this.#kept.delete(key);
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
