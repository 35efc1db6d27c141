/** Reads whole tables of the store in batches, within one transaction. */
import type { ClientBase } from 'pg';
import { inLineOrder } from '@blockwork/core/adapter';
import { textOf } from '../codec/name.js';
import { documentTable, recordTable, type Table } from '../schema/layout.js';
import type { Tables } from '../schema/tables.js';

/** The records of one kind in one partition. */
export interface StoredTable {
  readonly table: Table;
  readonly kind: string;
  /** The name of the partition in the database. */
  readonly name: string;
  readonly partition: string;
}

export type StoredRow = Readonly<Record<string, string | boolean | null>> & {
  readonly place: string;
  readonly body: string;
};

const ROWS = 500;
/** Maximum size of a batch, unless its first row is larger. */
const BYTES = 2 ** 23;

/** Sorted by partition and kind, in the line order of exports. */
export async function storedTables(client: ClientBase, { record, document }: Tables): Promise<StoredTable[]> {
  const text = `select partition, kind, max(name) as full from ${record} group by 1, 2
 union all select partition, null, max(name) from ${document} group by 1`;
  const { rows } = await client.query<{ partition: string; kind: string | null; full: string | null }>(text);
  return rows
    .map(({ partition: name, kind, full }) => ({
      table: kind === null ? documentTable : recordTable,
      kind: kind ?? 'document',
      name,
      partition: textOf(full ?? name),
    }))
    .sort((a, b) => inLineOrder(a.partition, b.partition) || inLineOrder(a.kind, b.kind));
}

/** In insertion order. `columns`: SQL of the columns to read besides `place` and `body`. */
export async function* rowsOf(
  client: ClientBase,
  tables: Tables,
  { table, kind, name }: StoredTable,
  columns: readonly string[] = [],
): AsyncGenerator<StoredRow> {
  const where = table === documentTable ? 'partition = $1' : 'partition = $1 and kind = $4';
  const piece = `select * from ${tables[table.name]} where ${where} and place > $2 order by place limit ${ROWS}`;
  const sized = `select piece.*, sum(octet_length(body)) over (order by place) as bytes, row_number() over (order by place) as at from (${piece}) piece`;
  const wanted = ['place', 'body', ...columns].join(', ');
  const text = `select ${wanted} from (${sized}) sized where bytes <= $3 or at = 1 order by place`;
  for (let place = '-1'; ;) {
    const values = [name, place, BYTES, ...(table === documentTable ? [] : [kind])];
    const { rows } = await client.query<StoredRow>(text, values);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    ({ place } = last);
  }
}

/** Revisions that a commit has advanced, sorted by key in the line order of exports. */
export async function storedRevisions(
  client: ClientBase,
  { revision }: Tables,
): Promise<{ readonly key: string; readonly revision: number }[]> {
  const text = `select coalesce(name, key) as key, number from ${revision} where number > 0`;
  const { rows } = await client.query<{ key: string; number: string }>(text);
  return rows
    .map(({ key, number }) => ({ key: textOf(key), revision: Number(number) }))
    .sort((a, b) => inLineOrder(a.key, b.key));
}
