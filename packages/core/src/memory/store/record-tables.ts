/** The records of an in-memory store by partition and kind, with their revisions. */
import { cloneJson, everything, type Condition, type RecordKind, type RecordKinds } from '../../records/index.js';
import { indexedPaths, type Change, type ChangeSet, type RecordQuery } from '../../ports/index.js';
import { DEFAULT_INDEX_BYTES, IndexBudget } from './equality-index.js';
import type { PackedRecords } from './packed-records.js';
import { RecordTable, type TablePaths } from './record-table.js';
import { Revisions } from './revisions.js';

/** A non-empty table: one kind in one partition. */
export interface TableInfo {
  readonly partition: string;
  readonly kind: RecordKind;
  readonly size: number;
}

export interface RecordTablesOptions {
  /** Approximate memory budget of indexes, in bytes. Default: 256 MiB. */
  readonly indexBytes?: number;
}

/**
 * For stores that keep their records in memory. Reads return copies; a read may wait for an index and then shows the records of
 * that moment. `apply` and `load` take ownership of their arguments.
 */
export class RecordTables {
  readonly revisions = new Revisions();
  readonly #budget: IndexBudget;
  readonly #partitions = new Map<string, Map<RecordKind, RecordTable>>();

  constructor({ indexBytes = DEFAULT_INDEX_BYTES }: RecordTablesOptions = {}) {
    this.#budget = new IndexBudget(indexBytes);
  }

  get<Kind extends RecordKind>(kind: Kind, partition: string, id: string): RecordKinds[Kind] | undefined {
    return cloneJson(this.#table(kind, partition)?.get(id)) as RecordKinds[Kind] | undefined;
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery = {},
  ): Promise<RecordKinds[Kind][]> {
    return cloneJson((await this.#table(kind, partition)?.find(query)) ?? []) as RecordKinds[Kind][];
  }

  /** The records themselves, deeply frozen, but for those that are kept as text. */
  async findShared<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery = {},
  ): Promise<readonly RecordKinds[Kind][]> {
    return ((await this.#table(kind, partition)?.findShared(query)) ?? []) as RecordKinds[Kind][];
  }

  async count(kind: RecordKind, partition: string, where: Condition = everything): Promise<number> {
    return (await this.#table(kind, partition)?.count(where)) ?? 0;
  }

  /** Applies the changes in order and advances the expected revisions, which the caller has checked. */
  apply(changeSet: ChangeSet): void {
    for (const change of changeSet.changes) this.#change(change);
    this.revisions.advance(changeSet.expect);
  }

  /** All tables. */
  *tables(): IterableIterator<TableInfo> {
    for (const [partition, kinds] of this.#partitions) {
      for (const [kind, table] of kinds) yield { partition, kind, size: table.size };
    }
  }

  /**
   * The records themselves in insertion order; callers must not change them. Later commits replace records instead of changing
   * them, so the result is a stable snapshot.
   */
  values<Kind extends RecordKind>(kind: Kind, partition: string): RecordKinds[Kind][] {
    return [...(this.#table(kind, partition)?.values() ?? [])] as RecordKinds[Kind][];
  }

  /** Adds records in insertion order. */
  load<Kind extends RecordKind>(kind: Kind, partition: string, records: Iterable<RecordKinds[Kind]>): void {
    for (const record of records) this.#tableFor(kind, partition).put(record);
  }

  /** Adds records that their owner parses when they are read. Ahead of all others, if the table is new. */
  loadPacked<Kind extends RecordKind>(kind: Kind, partition: string, packed: PackedRecords): void {
    const existing = this.#table(kind, partition);
    if (existing === undefined) {
      if (packed.length > packed.superseded.size) this.#tableFor(kind, partition, packed);
      return;
    }
    for (let position = 0; position < packed.length; position += 1) {
      if (!packed.superseded.has(position)) existing.put(packed.entryAt(position).value);
    }
  }

  #change(change: Change): void {
    if (change.op === 'put') {
      this.#tableFor(change.kind, change.partition).put(change.value);
      return;
    }
    const table = this.#table(change.kind, change.partition);
    if (table === undefined) return;
    table.delete(change.id);
    if (table.size > 0) return;
    table.dispose();
    const kinds = this.#partitions.get(change.partition);
    kinds?.delete(change.kind);
    if (kinds?.size === 0) this.#partitions.delete(change.partition);
  }

  #table(kind: RecordKind, partition: string): RecordTable | undefined {
    return this.#partitions.get(partition)?.get(kind);
  }

  #tableFor(kind: RecordKind, partition: string, packed?: PackedRecords): RecordTable {
    const kinds = this.#partitions.get(partition) ?? new Map<RecordKind, RecordTable>();
    this.#partitions.set(partition, kinds);
    const table = kinds.get(kind) ?? new RecordTable(pathsOf(kind), this.#budget, undefined, packed);
    kinds.set(kind, table);
    return table;
  }
}

const noPaths: TablePaths = { equality: new Set(), order: new Set() };
const pathsOfKinds: ReadonlyMap<string, TablePaths> = new Map(
  Object.entries(indexedPaths).map(([kind, { equality, order }]) => [
    kind,
    { equality: new Set([...equality, 'id']), order: new Set(order) },
  ]),
);

/** Files of newer versions may hold unknown kinds: these are kept without an index. */
const pathsOf = (kind: string): TablePaths => pathsOfKinds.get(kind) ?? noPaths;
