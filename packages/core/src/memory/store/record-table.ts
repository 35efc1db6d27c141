/** The records of one kind in one partition: found by id, and by condition through what is derived from them. */
import { cloneJson, everything, matches, type Condition, type Order } from '../../records/index.js';
import type { RecordQuery } from '../../ports/index.js';
import { ChangeLogs } from './change-logs.js';
import { conditionKey } from './condition-key.js';
import type { Entry, RecordValue } from './entry.js';
import { IndexBudget } from './index-budget.js';
import { pivotsOf, type Pivot } from './index-probe.js';
import { firstInSlices } from './slices.js';
import { byKey, keyedBy, SortedRecords, sortedBy } from './sorted-records.js';
import { SortedRecordsCache } from './sorted-records-cache.js';
import { TableIndexes } from './table-indexes.js';

/** The paths worth an index, see `indexedPaths` of the ports. */
export interface TablePaths {
  readonly equality: ReadonlySet<string>;
  readonly order: ReadonlySet<string>;
}

export interface TableTuning {
  /** So many candidates are filtered and sorted on the spot: cheaper than keeping them sorted. */
  readonly few: number;
  /** Conditions whose records are kept sorted, at most. */
  readonly conditions: number;
}

const defaultTuning: TableTuning = { few: 64, conditions: 128 };

interface Derivations {
  readonly logs: ChangeLogs;
  readonly indexes: TableIndexes;
  readonly sorted: SortedRecordsCache;
}

/**
 * Values go in and come out as they are: whoever owns the table makes the copies. Questions whose index is there are answered from
 * the records of the moment; others wait for it to be built, in slices, and are answered from the records of the moment then.
 */
export class RecordTable {
  /** Iterates in the order of insertion: a `Map` leaves a key that is set again in its place. */
  readonly #entries = new Map<string, Entry>();
  readonly #building = new Map<string, Promise<SortedRecords>>();
  /** Made at first use, so that the many small tables cost little. */
  #derivations: Derivations | undefined;
  #nextSeq = 0;
  #isDisposed = false;

  constructor(
    private readonly paths: TablePaths,
    private readonly budget = new IndexBudget(),
    private readonly tuning: TableTuning = defaultTuning,
  ) {}

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

  async find(query: RecordQuery): Promise<RecordValue[]> {
    const { where = everything, order, offset = 0, limit = Infinity } = query;
    const few = await this.#few(where);
    const found =
      few === undefined
        ? await this.#page(where, order, offset, limit)
        : inOrder(few, order).slice(offset, offset + limit);
    return found.map(({ value }) => value);
  }

  async count(where: Condition): Promise<number> {
    if ('all' in where && where.all.length === 0) return this.#entries.size;
    const few = await this.#few(where);
    return few?.length ?? (await this.#sortedRecords(where)).length;
  }

  /** The table is gone: gives back what it has of the budget. */
  dispose(): void {
    this.#isDisposed = true;
    this.#derivations?.indexes.dispose();
    this.#derivations?.sorted.dispose();
  }

  /** The matching records in the order of insertion, where few enough have to be looked at. */
  #few(where: Condition): Entry[] | undefined | Promise<Entry[] | undefined> {
    if (this.#entries.size <= this.tuning.few) return matching(this.#entries.values(), where);
    if (this.#derivations?.sorted.find(where) !== undefined) return undefined;
    const narrowed = this.#narrowed(where);
    const few = (probe: Probe | undefined): Entry[] | undefined =>
      probe === undefined || probe.count > this.tuning.few
        ? undefined
        : matching(this.#derived().indexes.candidates(probe.pivot), where);
    return narrowed instanceof Promise ? narrowed.then(few) : few(narrowed);
  }

  async #page(where: Condition, order: Order | undefined, offset: number, limit: number): Promise<Entry[]> {
    const records = await this.#sortedRecords(where);
    if (order === undefined || records.isSortedBy(order.path)) return records.page(order, offset, limit);
    if (this.paths.order.has(order.path)) {
      await this.#orderBy(where, records, order.path);
      return records.page(order, offset, limit);
    }
    const first = await firstInSlices(records.entries(), offset + limit, keyedBy(order.path), byKey(order.direction));
    return first.slice(offset).map(({ entry }) => entry);
  }

  #sortedRecords(where: Condition): SortedRecords | Promise<SortedRecords> {
    const { sorted } = this.#derived();
    const known = sorted.find(where);
    if (known !== undefined) return known;
    const key = conditionKey(where);
    const building =
      this.#building.get(key) ?? this.#buildSortedRecords(where).finally(() => this.#building.delete(key));
    this.#building.set(key, building);
    return building;
  }

  async #buildSortedRecords(where: Condition): Promise<SortedRecords> {
    const { logs, indexes, sorted } = this.#derived();
    // It belongs to the caller, who may change it.
    const condition = cloneJson(where);
    const pivot = (await this.#narrowed(condition))?.pivot;
    return logs.follow(
      () =>
        SortedRecords.build(condition, pivot === undefined ? [...this.#entries.values()] : indexes.candidates(pivot)),
      (records) => {
        if (!this.#isDisposed) sorted.add(condition, { records, pivot });
      },
    );
  }

  async #orderBy(where: Condition, records: SortedRecords, path: string): Promise<void> {
    const { logs, sorted } = this.#derived();
    await logs.follow(
      async () => records.ordered(path, await sortedBy(records.entries(), path)),
      (ordered) => {
        ordered.keep();
        sorted.used(where, records);
      },
    );
  }

  /** The probe that leaves the fewest candidates. Where indexes must be built for that, they are built once. */
  #narrowed(where: Condition, isReady = false): Probe | undefined | Promise<Probe | undefined> {
    const probes: Probe[] = [];
    const waiting: Promise<number>[] = [];
    const { indexes } = this.#derived();
    for (const pivot of pivotsOf(where, this.paths.equality)) {
      if (isReady && !indexes.has(pivot.path)) continue;
      const count = indexes.count(pivot);
      if (count instanceof Promise) waiting.push(count);
      else probes.push({ pivot, count });
    }
    if (waiting.length > 0) return Promise.all(waiting).then(() => this.#narrowed(where, true));
    return probes.sort((a, b) => a.count - b.count)[0];
  }

  #derived(): Derivations {
    return (this.#derivations ??= this.#derivationsOf(new ChangeLogs()));
  }

  #derivationsOf(logs: ChangeLogs): Derivations {
    return {
      logs,
      indexes: new TableIndexes(this.#entries, logs, this.budget),
      sorted: new SortedRecordsCache(this.tuning.conditions, this.budget),
    };
  }

  #changed(before: Entry | undefined, after: Entry | undefined): void {
    if (this.#derivations === undefined) return;
    const { logs, indexes, sorted } = this.#derivations;
    logs.change(before, after);
    indexes.change(before, after);
    sorted.change(before, after);
  }
}

interface Probe {
  readonly pivot: Pivot;
  readonly count: number;
}

function matching(entries: Iterable<Entry>, where: Condition): Entry[] {
  const found: Entry[] = [];
  for (const entry of entries) if (matches(entry.value, where)) found.push(entry);
  return found;
}

function inOrder(few: readonly Entry[], order: Order | undefined): readonly Entry[] {
  if (order === undefined) return few;
  return few
    .map(keyedBy(order.path))
    .sort(byKey(order.direction))
    .map(({ entry }) => entry);
}
