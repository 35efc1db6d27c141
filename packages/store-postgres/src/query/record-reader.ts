/** The reads of the store port, over a connection pool or a snapshot. */
import type { Condition, RecordKind, RecordKinds, RecordQuery } from '@blockwork/core/adapter';
import { addressOf, type Address } from '../codec/row.js';
import { nameOf } from '../codec/name.js';
import type { Run } from '../connection/connections.js';
import type { Table } from '../schema/layout.js';
import { documentTable, recordTable } from '../schema/layout.js';
import type { Tables } from '../schema/tables.js';
import type { Anchors } from './anchors.js';
import { Batch } from './batch.js';
import { fewOf, placeholders } from './few.js';
import { readPage } from './page.js';
import { readPartitions } from './partitions.js';
import { Question } from './question.js';
import { recordIn, recordOf, withNamedDamage } from './record-in.js';
import { rowAt } from './row-at.js';
import { Scan } from './scan.js';
import { readTotal } from './total.js';

export interface RecordReaderDeps {
  readonly tables: Tables;
  readonly anchors: Anchors;
  /** Runs one statement. */
  readonly run: Run;
  /** Runs several statements in one snapshot. */
  readonly atOneMoment: <T>(work: (run: Run) => Promise<T>) => Promise<T>;
}

export class RecordReader {
  readonly #deps: RecordReaderDeps;
  readonly #revisions: Batch<readonly string[], readonly number[]>;
  readonly #bodies: ReadonlyMap<Table, Batch<Address, string | undefined>>;

  constructor(deps: RecordReaderDeps) {
    this.#deps = deps;
    this.#revisions = new Batch<readonly string[], readonly number[]>((asked) => this.#loadRevisions(asked));
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
    return this.#revisions.ask(keys.map(nameOf));
  }

  async get<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    const address = addressOf(kind, partition, id);
    const body = await this.#bodies.get(address.table)?.ask(address);
    return body === undefined ? undefined : (recordOf(body, kind, partition, id) as RecordKinds[Kind]);
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery = {},
  ): Promise<RecordKinds[Kind][]> {
    const { tables, anchors, run, atOneMoment } = this.#deps;
    const { offset = 0, limit = Infinity, bytes = Infinity } = query;
    const question = new Question(tables, kind, partition, query.where, query.order);
    const range = { offset, limit, bytes };
    return withNamedDamage(question, run, async () => {
      const rows = question.isPlain && question.isSorted ? await readPage(run, question, range, anchors) : null;
      const records = rows?.map(recordIn) ?? (await new Scan(question, { run, atOneMoment }).page(range));
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
    const found = await readPartitions(run, tables, { kind, partitions, where });
    if (found !== null) return found as RecordKinds[Kind][][];
    return Promise.all(partitions.map((partition) => this.find(kind, partition, where && { where })));
  }

  async count(kind: RecordKind, partition: string, where?: Condition): Promise<number> {
    const { tables, run, atOneMoment } = this.#deps;
    const question = new Question(tables, kind, partition, where);
    const total = question.isPlain ? await readTotal(run, tables, question) : null;
    return total ?? withNamedDamage(question, run, () => new Scan(question, { run, atOneMoment }).count());
  }

  async #loadRevisions(asked: readonly (readonly string[])[]): Promise<(readonly number[])[]> {
    const { tables, run } = this.#deps;
    const keys = [...new Set(asked.flat())];
    const few = fewOf(keys, keys[0]);
    const among = few === null ? '= any($1::text[])' : `in (${placeholders(few.length).join(', ')})`;
    const text = `select key, number from ${tables.revision} where key ${among}`;
    const rows = await run<{ key: string; number: string }>({ text, values: few ?? [keys] });
    const numbers = new Map(rows.map(({ key, number }) => [key, Number(number)]));
    return asked.map((each) => each.map((key) => numbers.get(key) ?? 0));
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
  const few = fewOf<Address | null>(keys, null);
  if (few === null) {
    const lists = names.map((_, at) => `$${at + 1}::text[]`).join(', ');
    const values = names.map((name) => keys.map((key) => key[name]));
    return { from: `unnest(${lists}) with ordinality as ${columns}`, values };
  }
  const rows = few.map((_, at) => {
    const row = placeholders(names.length, at * names.length + 1).map((each) => `${each}::text`);
    return `(${[...row, at + 1].join(', ')})`;
  });
  const values = few.flatMap((key) => names.map((name) => key?.[name] ?? null));
  return { from: `(values ${rows.join(', ')}) as ${columns}`, values };
}
