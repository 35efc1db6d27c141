/** The selections that a table keeps, the least recently used ones given up beyond a limit. */
import { valueAt, type Condition } from '../../records/index.js';
import { conditionKey } from './condition-key.js';
import type { Entry } from './entry.js';
import { indexKeys, type IndexKey } from './equality-index.js';
import type { Pivot } from './index-probe.js';
import type { SortedRecords } from './sorted-records.js';

export interface SelectionLimits {
  /** Selections at most. */
  readonly count: number;
  /** Places in their lists at most, all together; a single selection may be larger. */
  readonly weight: number;
}

interface Kept {
  readonly selection: SortedRecords;
  readonly pivot: Pivot | undefined;
}

export class SortedRecordsCache {
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();
  /** By path and key of their pivot, so that a change reaches only the selections it may concern. */
  readonly #pivoted = new Map<string, Map<IndexKey, Set<SortedRecords>>>();
  readonly #others = new Set<SortedRecords>();

  find(where: Condition): SortedRecords | undefined {
    const key = conditionKey(where);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.selection;
  }

  add(where: Condition, kept: Kept): void {
    this.#kept.set(conditionKey(where), kept);
    const { selection, pivot } = kept;
    if (pivot === undefined) this.#others.add(selection);
    else for (const key of pivot.keys) this.#reached(pivot.path, key).add(selection);
  }

  /** Takes note that `before` gave way to `after`. */
  change(before: Entry | undefined, after: Entry | undefined): void {
    for (const selection of this.#others) selection.change(before, after);
    for (const selection of this.#concerned(before, after)) selection.change(before, after);
  }

  trim(limits: SelectionLimits): void {
    let weight = 0;
    for (const { selection } of this.#kept.values()) weight += selection.weight;
    for (const [key, kept] of this.#kept) {
      if (this.#kept.size === 1 || (this.#kept.size <= limits.count && weight <= limits.weight)) return;
      weight -= kept.selection.weight;
      this.#kept.delete(key);
      this.#forget(kept);
    }
  }

  #concerned(before: Entry | undefined, after: Entry | undefined): Set<SortedRecords> {
    const concerned = new Set<SortedRecords>();
    for (const [path, byKey] of this.#pivoted) {
      for (const entry of [before, after]) {
        if (entry === undefined) continue;
        for (const key of indexKeys(valueAt(entry.value, path))) {
          for (const selection of byKey.get(key) ?? []) concerned.add(selection);
        }
      }
    }
    return concerned;
  }

  #forget({ selection, pivot }: Kept): void {
    this.#others.delete(selection);
    for (const key of pivot?.keys ?? []) {
      const byKey = this.#pivoted.get(pivot?.path ?? '');
      const reached = byKey?.get(key);
      reached?.delete(selection);
      if (reached?.size === 0) byKey?.delete(key);
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
