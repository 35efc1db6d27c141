/** All records of a store that keeps them in memory: by partition and kind, with their revisions. */
import { cloneJson, everything, type Condition, type RecordKind, type RecordKinds } from '../../records/index.js';
import { indexedPaths, type Change, type ChangeSet, type RecordQuery } from '../../ports/index.js';
import { DEFAULT_INDEX_BYTES, IndexBudget } from './index-budget.js';
import { RecordTable, type TablePaths } from './record-table.js';
import { Revisions } from './revisions.js';

/** One kind in one partition, and how many records it holds: at least one. */
export interface TableInfo {
  readonly partition: string;
  readonly kind: RecordKind;
  readonly size: number;
}

export interface RecordTablesOptions {
  /** Bytes, about, of what is derived from the records in order to answer faster; 256 MiB when absent. */
  readonly indexBytes?: number;
}

/**
 * For stores that keep their records in memory. What reads return belongs to the caller; a read may wait until an index is built, and
 * then shows the records of that moment. What `apply` and `load` are given belongs to the tables: hand in a copy.
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

  async count(kind: RecordKind, partition: string, where: Condition = everything): Promise<number> {
    return (await this.#table(kind, partition)?.count(where)) ?? 0;
  }

  /** Makes the changes in their order and moves the expected revisions up, which must have been checked before. */
  apply(changeSet: ChangeSet): void {
    for (const change of changeSet.changes) this.#change(change);
    this.revisions.advance(changeSet.expect);
  }

  /** Every kind in every partition that holds records. */
  *tables(): IterableIterator<TableInfo> {
    for (const [partition, kinds] of this.#partitions) {
      for (const [kind, table] of kinds) yield { partition, kind, size: table.size };
    }
  }

  /**
   * The records themselves, in the order of insertion: not to be changed. Later commits replace records and
   * never change them, so what was taken once stays as it was.
   */
  values<Kind extends RecordKind>(kind: Kind, partition: string): RecordKinds[Kind][] {
    return [...(this.#table(kind, partition)?.values() ?? [])] as RecordKinds[Kind][];
  }

  /** Adds records in the order of insertion. */
  load<Kind extends RecordKind>(kind: Kind, partition: string, records: Iterable<RecordKinds[Kind]>): void {
    for (const record of records) this.#tableFor(kind, partition).put(record);
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

  #tableFor(kind: RecordKind, partition: string): RecordTable {
    const kinds = this.#partitions.get(partition) ?? new Map<RecordKind, RecordTable>();
    this.#partitions.set(partition, kinds);
    const table = kinds.get(kind) ?? new RecordTable(pathsOf(kind), this.#budget);
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

/** Records of a kind that this version does not know may come from a newer one's files: kept, without an index. */
const pathsOf = (kind: string): TablePaths => pathsOfKinds.get(kind) ?? noPaths;
