/** Reads history records, of which only the ids are in memory and the values in files. */
import {
  compareAt,
  everything,
  matches,
  RecordTables,
  type Condition,
  type RecordKind,
  type RecordKinds,
  type RecordQuery,
} from '@blockwork/core/adapter';
import { unavailable } from '../files/failures.js';
import type { Snapshots } from '../snapshots/snapshots.js';
import type { StoredRows } from '../snapshots/stored-rows.js';

type Row = readonly [id: string, row: unknown];

/** A checkpoint that replaces a file during a read costs one attempt. */
const maxAttempts = 20;
/** Number of rows in memory at once during a full search. */
const rowsPerBatch = 256;

export class History {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly stored: StoredRows,
  ) {}

  async get<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    const rows = await this.#resolved(() => {
      const row = this.snapshots.find(partition, kind)?.get(id);
      return row === undefined ? [] : [[id, row]];
    });
    return rows[0] as RecordKinds[Kind] | undefined;
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery = {},
  ): Promise<RecordKinds[Kind][]> {
    const { where = everything, order, offset = 0, limit = Infinity } = query;
    const byId = order === undefined || order.path === 'id';
    if (!byId || !isAboutId(where)) return this.#search(kind, partition, query);
    const rows = await this.#resolved(() => {
      const table = this.snapshots.find(partition, kind);
      if (order === undefined && isEverything(where)) return table?.rows(offset, limit) ?? [];
      const rows = [...(table?.rows() ?? [])].filter(([id]) => matches({ id }, where));
      if (order !== undefined) rows.sort(([a], [b]) => compareAt({ id: a }, { id: b }, 'id'));
      if (order?.direction === 'desc') rows.reverse();
      return rows.slice(offset, offset + limit);
    });
    return rows as RecordKinds[Kind][];
  }

  async count(kind: RecordKind, partition: string, where: Condition = everything): Promise<number> {
    if (isEverything(where)) return this.snapshots.find(partition, kind)?.size ?? 0;
    return (await this.#search(kind, partition, { where })).length;
  }

  /** Reads all records, and filters them. */
  async #search<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery,
  ): Promise<RecordKinds[Kind][]> {
    const { where = everything } = query;
    const matching = await this.#resolvedWhere(
      () => this.snapshots.find(partition, kind)?.rows() ?? [],
      (row) => matches(row, where),
    );
    const tables = new RecordTables();
    tables.load(kind, partition, matching as RecordKinds[Kind][]);
    return tables.find(kind, partition, query);
  }

  #resolved(rows: () => Iterable<Row>): Promise<unknown[]> {
    return this.#resolvedWhere(rows, () => true);
  }

  /** The wanted rows with their values, as of one moment. */
  async #resolvedWhere(rows: () => Iterable<Row>, isWanted: (row: object) => boolean): Promise<unknown[]> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const resolved = await this.#attempt([...rows()], isWanted);
      if (resolved !== undefined) return resolved;
    }
    throw unavailable('a file of history is missing, or replaced faster than it can be read');
  }

  async #attempt(rows: readonly Row[], isWanted: (row: object) => boolean): Promise<unknown[] | undefined> {
    const wanted: unknown[] = [];
    for (let at = 0; at < rows.length; at += rowsPerBatch) {
      const resolved = await this.stored.resolve(rows.slice(at, at + rowsPerBatch));
      if (resolved === undefined) return undefined;
      for (const row of resolved) if (isWanted(row as object)) wanted.push(row);
    }
    return wanted;
  }
}

/** Whether the condition refers to ids only, so that no file must be read. */
function isAboutId(where: Condition): boolean {
  if ('all' in where) return where.all.every(isAboutId);
  if ('any' in where) return where.any.every(isAboutId);
  if ('not' in where) return isAboutId(where.not);
  return where.path === 'id';
}

const isEverything = (where: Condition): boolean => 'all' in where && where.all.length === 0;
