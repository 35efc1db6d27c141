/** The sorted records that a table keeps, one for each condition that was asked for; the least recently used go first. */
import { valueAt, type Condition } from '../../records/index.js';
import { conditionKey } from './condition-key.js';
import type { Entry } from './entry.js';
import { indexKeys, type IndexKey } from './equality-index.js';
import type { IndexBudget } from './index-budget.js';
import type { Pivot } from './index-probe.js';
import type { SortedRecords } from './sorted-records.js';

interface Kept {
  readonly records: SortedRecords;
  readonly pivot: Pivot | undefined;
}

export class SortedRecordsCache {
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();
  /** By path and key of their pivot, so that a change reaches only those that it may concern. */
  readonly #pivoted = new Map<string, Map<IndexKey, Set<SortedRecords>>>();
  readonly #others = new Set<SortedRecords>();

  /** `count`: how many are kept at most, since each costs a look at every change. */
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
    this.used(where, kept.records);
    return kept.records;
  }

  add(where: Condition, kept: Kept): void {
    const key = conditionKey(where);
    this.#kept.set(key, kept);
    const { records, pivot } = kept;
    if (pivot === undefined) this.#others.add(records);
    else for (const value of pivot.keys) this.#reached(pivot.path, value).add(records);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.count || oldest === key) break;
      this.#drop(oldest);
    }
    this.used(where, records);
  }

  /** To be told whenever they were used, or have grown. */
  used(where: Condition, records: SortedRecords): void {
    const key = conditionKey(where);
    if (this.#kept.get(key)?.records !== records) return;
    this.budget.use(records, () => {
      this.#drop(key);
    });
  }

  /** Takes note that `before` gave way to `after`. */
  change(before: Entry | undefined, after: Entry | undefined): void {
    for (const records of this.#others) records.change(before, after);
    for (const records of this.#concerned(before, after)) records.change(before, after);
  }

  dispose(): void {
    for (const key of [...this.#kept.keys()]) this.#drop(key);
  }

  #concerned(before: Entry | undefined, after: Entry | undefined): Set<SortedRecords> {
    const concerned = new Set<SortedRecords>();
    for (const [path, byKey] of this.#pivoted) {
      for (const entry of [before, after]) {
        if (entry === undefined) continue;
        for (const key of indexKeys(valueAt(entry.value, path))) {
          for (const records of byKey.get(key) ?? []) concerned.add(records);
        }
      }
    }
    return concerned;
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    const { records, pivot } = kept;
    this.#kept.delete(key);
    this.#others.delete(records);
    this.budget.forget(records);
    for (const value of pivot?.keys ?? []) {
      const byKey = this.#pivoted.get(pivot?.path ?? '');
      const reached = byKey?.get(value);
      reached?.delete(records);
      if (reached?.size === 0) byKey?.delete(value);
    }
  }

  #reached(path: string, key: IndexKey): Set<SortedRecords> {
    const byKey = this.#pivoted.get(path) ?? new Map<IndexKey, Set<SortedRecords>>();
    this.#pivoted.set(path, byKey);
    const reached = byKey.get(key) ?? new Set<SortedRecords>();
    byKey.set(key, reached);
    return reached;
  }
}
