/** Inserts records and revisions of another store unchanged, without commits, which would assign new revisions. */
import type { ClientBase } from 'pg';
import { fullName, nameOf } from '../codec/name.js';
import { ELEMENT_SEPARATOR, rowColumns, type Row } from '../codec/row.js';
import { documentTable, recordTable, tallyColumns, type Table } from '../schema/layout.js';
import type { Tables } from '../schema/tables.js';

/** `place`: its line number in the source, which is less than any place that a commit assigns. */
export interface CopiedRow {
  readonly row: Row;
  readonly place: number;
}

export interface CopiedRevision {
  readonly key: string;
  readonly revision: number;
  readonly place: number;
}

export async function insertRows(client: ClientBase, tables: Tables, rows: readonly CopiedRow[]): Promise<void> {
  for (const table of [documentTable, recordTable]) {
    const some = rows.filter(({ row }) => row.table === table);
    if (some.length > 0) await insertInto(client, tables, table, some);
  }
}

async function insertInto(client: ClientBase, tables: Tables, table: Table, rows: readonly CopiedRow[]): Promise<void> {
  const texts = rowColumns(table);
  const columns = [...texts, 'place', 'body'];
  const selected = columns.map((column) => valueOf(table, column));
  const parameters = columns.map((column, at) => `$${at + 1}::${column === 'place' ? 'bigint' : 'text'}[]`);
  const values = [
    ...texts.map((_, at) => rows.map(({ row }) => row.values[at] ?? null)),
    rows.map(({ place }) => place),
    rows.map(({ row }) => row.body),
  ];
  const text = `insert into ${tables[table.name]} (${columns.join(', ')})
 select ${selected.join(', ')} from unnest(${parameters.join(', ')}) as a(${columns.join(', ')})`;
  await client.query(text, values);
}

function valueOf(table: Table, column: string): string {
  if (table.sorts.includes(column)) return `decode(a.${column}, 'hex')`;
  if (column === 'unsorted') return `a.unsorted = 't'`;
  if (column === 'elements') return `string_to_array(a.elements, chr(${ELEMENT_SEPARATOR.charCodeAt(0)}))`;
  return `a.${column}`;
}

export async function insertRevisions(
  client: ClientBase,
  { revision }: Tables,
  revisions: readonly CopiedRevision[],
): Promise<void> {
  if (revisions.length === 0) return;
  const text = `insert into ${revision} (key, number, place, name)
 select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[])`;
  const values = [
    revisions.map(({ key }) => nameOf(key)),
    revisions.map(({ revision: number }) => number),
    revisions.map(({ place }) => place),
    revisions.map(({ key }) => fullName(key)),
  ];
  await client.query(text, values);
}

/** Fills the tally from the copied documents. */
export async function countDocuments(client: ClientBase, { document, tally }: Tables): Promise<void> {
  const keys = tallyColumns.map((column) => `coalesce(${column}, '')`).join(', ');
  await client.query(
    `insert into ${tally} (partition, ${tallyColumns.join(', ')}, n) select partition, ${keys}, count(*) from ${document} group by partition, ${keys}`,
  );
}
