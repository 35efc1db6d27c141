/** The records of one kind in one partition, with indexes and sorted lists that are built on demand. */
import { BlockworkError } from '../../errors.js';
import {
  cloneJson,
  conditionKey,
  deepFreeze,
  everything,
  jsonBytes,
  matches,
  type Condition,
  type Order,
} from '../../records/index.js';
import type { RecordQuery } from '../../ports/index.js';
import { ChangeLogs } from './change-logs.js';
import { Entries } from './entries.js';
import type { Entry, RecordValue } from './entry.js';
import { IndexBudget, type IndexProbe, indexProbes } from './equality-index.js';
import type { PackedRecords } from './packed-records.js';
import { firstInSlices } from './slices.js';
import { byKey, keyedBy, SortedRecords, sortedBy } from './sorted-records.js';
import { SortedRecordsCache } from './sorted-records-cache.js';
import { TableIndexes } from './table-indexes.js';

/** Indexed paths, see `indexedPaths` of the ports. */
export interface TablePaths {
  readonly equality: ReadonlySet<string>;
  readonly order: ReadonlySet<string>;
}

export interface TableTuning {
  /** Up to this many candidates are filtered and sorted per query, which is cheaper than keeping a sorted list. */
  readonly few: number;
  /** Maximum number of conditions with a sorted list. */
  readonly conditions: number;
}

const defaultTuning: TableTuning = { few: 64, conditions: 128 };

interface Derivations {
  readonly logs: ChangeLogs;
  readonly indexes: TableIndexes;
  readonly sorted: SortedRecordsCache;
}

/**
 * Does not copy values: that is up to the owner. A query whose index is ready is answered from the current records; others wait
 * until it has been built, in slices, and then read the records of that moment.
 */
export class RecordTable {
  readonly #entries: Entries;
  readonly #building = new Map<string, Promise<SortedRecords>>();
  /** Created at first use, because most tables are small and need none. */
  #derivations: Derivations | undefined;
  #nextSeq: number;
  #isDisposed = false;

  constructor(
    private readonly paths: TablePaths,
    private readonly budget = new IndexBudget(),
    private readonly tuning: TableTuning = defaultTuning,
    packed?: PackedRecords,
  ) {
    this.#entries = new Entries(packed);
    this.#nextSeq = packed?.length ?? 0;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): RecordValue | undefined {
    return this.#entries.get(id)?.value;
  }

  /** All records in insertion order. */
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

  find(query: RecordQuery): Promise<RecordValue[]> {
    return this.#found(query, ({ value }) => value);
  }

  /** As `find`; records kept as objects are frozen, those kept as text belong to the caller. */
  findShared(query: RecordQuery): Promise<RecordValue[]> {
    return this.#found(query, ({ value, fieldAt }) => (fieldAt === undefined ? deepFreeze(value) : value));
  }

  async #found(query: RecordQuery, valueOf: (entry: Entry) => RecordValue): Promise<RecordValue[]> {
    const { where = everything, order, offset = 0, limit = Infinity, bytes } = query;
    const records = this.#knownRecords(where);
    const few = records === undefined ? await this.#few(where) : undefined;
    const entries =
      few === undefined
        ? await this.#page(where, records ?? (await this.#sortedRecords(where)), order, offset, limit)
        : inOrder(few, order).slice(offset, offset + limit);
    if (bytes !== undefined) assertBytes(entries, bytes);
    return entries.map(valueOf);
  }

  async count(where: Condition): Promise<number> {
    if ('all' in where && where.all.length === 0) return this.#entries.size;
    const records = this.#knownRecords(where) ?? (await this.#few(where)) ?? (await this.#sortedRecords(where));
    return records.length;
  }

  /** Releases the share of the budget. */
  dispose(): void {
    this.#isDisposed = true;
    this.#derivations?.indexes.dispose();
    this.#derivations?.sorted.dispose();
  }

  /** The sorted list of the condition, if one exists and is worth using. */
  #knownRecords(where: Condition): SortedRecords | undefined {
    return this.#entries.size <= this.tuning.few ? undefined : this.#derivations?.sorted.find(where);
  }

  /** The matching records in insertion order, if few enough candidates must be scanned. */
  #few(where: Condition): Entry[] | undefined | Promise<Entry[] | undefined> {
    if (this.#entries.size <= this.tuning.few) return matching(this.#entries.values(), where);
    const best = this.#bestProbe(where);
    const few = (counted: CountedProbe | undefined): Entry[] | undefined =>
      counted === undefined || counted.count > this.tuning.few
        ? undefined
        : matching(this.#derived().indexes.candidates(counted.probe), where);
    return best instanceof Promise ? best.then(few) : few(best);
  }

  async #page(
    where: Condition,
    records: SortedRecords,
    order: Order | undefined,
    offset: number,
    limit: number,
  ): Promise<Entry[]> {
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
    const cached = sorted.find(where);
    if (cached !== undefined) return cached;
    const key = conditionKey(where);
    const building =
      this.#building.get(key) ?? this.#buildSortedRecords(where).finally(() => this.#building.delete(key));
    this.#building.set(key, building);
    return building;
  }

  async #buildSortedRecords(where: Condition): Promise<SortedRecords> {
    const { logs, indexes, sorted } = this.#derived();
    // Copied because the caller may mutate it.
    const condition = cloneJson(where);
    const probe = (await this.#bestProbe(condition))?.probe;
    return logs.follow(
      () => SortedRecords.build(condition, probe === undefined ? this.#entries.list() : indexes.candidates(probe)),
      (records) => {
        if (!this.#isDisposed) sorted.add(condition, { records, probe });
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

  /** The probe with the fewest candidates. Waits once for indexes that have to be built. */
  #bestProbe(where: Condition, isReady = false): CountedProbe | undefined | Promise<CountedProbe | undefined> {
    const probes: CountedProbe[] = [];
    const pending: Promise<number>[] = [];
    const { indexes } = this.#derived();
    for (const probe of indexProbes(where, this.paths.equality)) {
      if (isReady && !indexes.has(probe.path)) continue;
      const count = indexes.count(probe);
      if (count instanceof Promise) pending.push(count);
      else probes.push({ probe, count });
    }
    if (pending.length > 0) return Promise.all(pending).then(() => this.#bestProbe(where, true));
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

interface CountedProbe {
  readonly probe: IndexProbe;
  readonly count: number;
}

function matching(entries: Iterable<Entry>, where: Condition): Entry[] {
  const selected: Entry[] = [];
  for (const entry of entries) if (matches(entry.value, where)) selected.push(entry);
  return selected;
}

function assertBytes(entries: readonly Entry[], limit: number): void {
  let bytes = 0;
  for (const entry of entries) {
    bytes += entry.bytes ??= jsonBytes(entry.value);
    if (bytes > limit) throw new BlockworkError('PAGE_TOO_LARGE', { facts: { limit } });
  }
}

function inOrder(few: readonly Entry[], order: Order | undefined): readonly Entry[] {
  if (order === undefined) return few;
  return few
    .map(keyedBy(order.path))
    .sort(byKey(order.direction))
    .map(({ entry }) => entry);
}
