/** The equality indexes of one table, built in slices at first use and updated with every change. */
import type { Entries, EntryList } from './entries.js';
import type { Entry } from './entry.js';
import { bySeq, EqualityIndex, type IndexBudget, type IndexProbe } from './equality-index.js';
import type { ChangeLogs } from './change-logs.js';

export class TableIndexes {
  readonly #indexes = new Map<string, EqualityIndex>();
  readonly #building = new Map<string, Promise<EqualityIndex>>();
  #isDisposed = false;

  constructor(
    private readonly entries: Entries,
    private readonly logs: ChangeLogs,
    private readonly budget: IndexBudget,
  ) {}

  /** Number of candidates of a probe; synchronous if the index is ready. */
  count(probe: IndexProbe): number | Promise<number> {
    if (probe.path === 'id') return this.#byId(probe).length;
    const count = (index: EqualityIndex): number => probe.keys.reduce<number>((sum, key) => sum + index.count(key), 0);
    const index = this.#index(probe.path);
    return index instanceof Promise ? index.then(count) : count(index);
  }

  /** Distinct candidates in insertion order; all entries of the table if the index was evicted. */
  candidates({ path, keys }: IndexProbe): EntryList {
    if (path === 'id') return this.#byId({ path, keys });
    const index = this.#indexes.get(path);
    if (index === undefined) return this.entries.list();
    const entries = keys.map((key) => [...index.entries(key)]);
    if (entries.length === 1) return entries[0] ?? [];
    return [...new Set(entries.flat())].sort(bySeq);
  }

  /** Whether `count` answers synchronously. */
  has(path: string): boolean {
    return path === 'id' || this.#indexes.has(path);
  }

  change(before: Entry | undefined, after: Entry | undefined): void {
    for (const index of this.#indexes.values()) index.change(before, after);
  }

  /** Releases the share of the budget. */
  dispose(): void {
    for (const index of this.#indexes.values()) this.budget.forget(index);
    this.#indexes.clear();
    this.#isDisposed = true;
  }

  #byId({ keys }: IndexProbe): Entry[] {
    const entries = keys.flatMap((key) => (typeof key === 'string' ? (this.entries.get(key) ?? []) : []));
    return [...new Set(entries)].sort(bySeq);
  }

  #index(path: string): EqualityIndex | Promise<EqualityIndex> {
    const existing = this.#indexes.get(path);
    if (existing === undefined) return this.#build(path);
    this.#used(path, existing);
    return existing;
  }

  #build(path: string): Promise<EqualityIndex> {
    const pending = this.#building.get(path);
    if (pending !== undefined) return pending;
    const building = this.logs
      .follow(
        () => EqualityIndex.build(path, this.entries.list()),
        (index) => {
          if (this.#isDisposed) return;
          this.#indexes.set(path, index);
          this.#used(path, index);
        },
      )
      .finally(() => this.#building.delete(path));
    this.#building.set(path, building);
    return building;
  }

  #used(path: string, index: EqualityIndex): void {
    this.budget.use(index, () => this.#indexes.delete(path));
  }
}
