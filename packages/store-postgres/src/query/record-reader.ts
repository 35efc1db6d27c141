/** The reads of the store port, over a connection pool or a snapshot. */
import type { Condition, RecordKind, RecordKinds, RecordQuery } from '@blockwork/core/adapter';
import { addressOf, type Address } from '../codec/row.js';
import { nameOf } from '../codec/name.js';
import type { Run } from '../connection/connections.js';
import { unavailable } from '../connection/failures.js';
import { HistoryMoved, historyRowSql, type ServerHistory } from '../connection/server-history.js';
import type { Statement } from '../connection/statement.js';
import type { Table } from '../schema/layout.js';
import { documentTable, recordTable } from '../schema/layout.js';
import type { Tables } from '../schema/tables.js';
import type { Anchors } from './anchors.js';
import { Batch } from './batch.js';
import { paddedKeys, placeholders } from './padded-keys.js';
import { readPage } from './page.js';
import { readPartitions } from './partitions.js';
import { TableQuery } from './table-query.js';
import { recordIn, recordOf, withNamedDamage } from './record-in.js';
import { rowAt } from './row-at.js';
import { Scan } from './scan.js';
import { readTotal } from './total.js';

export interface RecordReaderDeps {
  readonly tables: Tables;
  readonly anchors: Anchors;
  /** Runs one statement. */
  readonly run: Run;
  /** Compared with the history in which revisions are read; absent within a snapshot. */
  readonly history?: ServerHistory;
  /** Runs several statements in one snapshot. */
  readonly inSnapshot: <T>(work: (run: Run) => Promise<T>) => Promise<T>;
}

interface RevisionRow {
  readonly key: string;
  readonly number: string;
  /** The row of the history. */
  readonly history: string | null;
}

/** Number of times that revisions are read while the history keeps changing. */
const ATTEMPTS = 10;

export class RecordReader {
  readonly #deps: RecordReaderDeps;
  readonly #revisions: Batch<readonly string[], readonly number[]>;
  readonly #bodies: ReadonlyMap<Table, Batch<Address, string | undefined>>;

  constructor(deps: RecordReaderDeps) {
    this.#deps = deps;
    this.#revisions = new Batch<readonly string[], readonly number[]>((batch) => this.#loadRevisions(batch));
    this.#bodies = new Map(
      [documentTable, recordTable].map((table) => [table, new Batch((keys) => this.#loadBodies(table, keys))]),
    );
  }

  async revision(key: string): Promise<number> {
    const [number = 0] = await this.revisions([key]);
    return number;
  }

  /** All from one snapshot. */
  revisions(keys: readonly string[]): Promise<readonly number[]> {
    return this.#revisions.load(keys.map(nameOf));
  }

  async get<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    const address = addressOf(kind, partition, id);
    const body = await this.#bodies.get(address.table)?.load(address);
    return body === undefined ? undefined : (recordOf(body, kind, partition, id) as RecordKinds[Kind]);
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery = {},
  ): Promise<RecordKinds[Kind][]> {
    const { tables, anchors, run, inSnapshot } = this.#deps;
    const { offset = 0, limit = Infinity, bytes = Infinity } = query;
    const tableQuery = new TableQuery(tables, kind, partition, query.where, query.order);
    const range = { offset, limit, bytes };
    return withNamedDamage(tableQuery, run, async () => {
      const rows = tableQuery.isPlain && tableQuery.isSorted ? await readPage(run, tableQuery, range, anchors) : null;
      const records = rows?.map(recordIn) ?? (await new Scan(tableQuery, { run, inSnapshot }).page(range));
      return records as RecordKinds[Kind][];
    });
  }

  /** A single statement if the columns decide the condition. */
  async findEach<Kind extends RecordKind>(
    kind: Kind,
    partitions: readonly string[],
    where?: Condition,
  ): Promise<RecordKinds[Kind][][]> {
    if (partitions.length === 0) return [];
    const { tables, run } = this.#deps;
    const groups = await readPartitions(run, tables, { kind, partitions, where });
    if (groups !== null) return groups as RecordKinds[Kind][][];
    return Promise.all(partitions.map((partition) => this.find(kind, partition, where && { where })));
  }

  async count(kind: RecordKind, partition: string, where?: Condition): Promise<number> {
    const { tables, run, inSnapshot } = this.#deps;
    const tableQuery = new TableQuery(tables, kind, partition, where);
    const total = tableQuery.isPlain ? await readTotal(run, tables, tableQuery) : null;
    return total ?? withNamedDamage(tableQuery, run, () => new Scan(tableQuery, { run, inSnapshot }).count());
  }

  async #loadRevisions(batch: readonly (readonly string[])[]): Promise<(readonly number[])[]> {
    const { tables } = this.#deps;
    const keys = [...new Set(batch.flat())];
    const padded = paddedKeys(keys, keys[0]);
    const among = padded === null ? '= any($1::text[])' : `in (${placeholders(padded.length).join(', ')})`;
    const text = `select key, number, ${historyRowSql(tables)} as history from ${tables.revision} where key ${among}`;
    const rows = await this.#revisionRows({ text, values: padded ?? [keys] });
    const numbers = new Map(rows.map(({ key, number }) => [key, Number(number)]));
    return batch.map((each) => each.map((key) => numbers.get(key) ?? 0));
  }

  async #revisionRows(statement: Statement): Promise<readonly RevisionRow[]> {
    const { run, history } = this.#deps;
    for (let attempt = 1; ; attempt += 1) {
      const before = history?.id;
      const rows = await run<RevisionRow>(statement);
      if (history === undefined || rows[0] === undefined || rows[0].history === history.row) return rows;
      if (before === history.id) history.suspect();
      if (attempt === ATTEMPTS) throw unavailable(new HistoryMoved());
    }
  }

  async #loadBodies(table: Table, keys: readonly Address[]): Promise<(string | undefined)[]> {
    const { tables, run } = this.#deps;
    const { from, values } = addresses(table, keys);
    const text = `select a.n, r.body from ${from} cross join lateral (${rowAt(tables[table.name], table, 'a')}) r`;
    const bodies: (string | undefined)[] = keys.map(() => undefined);
    for (const { n, body } of await run<{ n: string; body: string }>({ text, values })) bodies[Number(n) - 1] = body;
    return bodies;
  }
}

/** A SQL table `a` of the addresses, numbered by `n`. */
function addresses(table: Table, keys: readonly Address[]): { from: string; values: unknown[] } {
  const names = table.address as readonly ('partition' | 'kind' | 'id')[];
  const columns = `a(${[...names, 'n'].join(', ')})`;
  const padded = paddedKeys<Address | null>(keys, null);
  if (padded === null) {
    const lists = names.map((_, at) => `$${at + 1}::text[]`).join(', ');
    const values = names.map((name) => keys.map((key) => key[name]));
    return { from: `unnest(${lists}) with ordinality as ${columns}`, values };
  }
  const rows = padded.map((_, at) => {
    const row = placeholders(names.length, at * names.length + 1).map((each) => `${each}::text`);
    return `(${[...row, at + 1].join(', ')})`;
  });
  const values = padded.flatMap((key) => names.map((name) => key?.[name] ?? null));
  return { from: `(values ${rows.join(', ')}) as ${columns}`, values };
}
