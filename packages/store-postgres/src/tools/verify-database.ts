/** Checks a database without changing it: whether the columns match the records, and the totals match the documents. */
import { demandObject } from '@blockwork/core/adapter';
import type { RecordKind } from '@blockwork/core/adapter';
import { ELEMENT_SEPARATOR, rowColumns, rowOf } from '../codec/row.js';
import type { PostgresStoreOptions } from '../options.js';
import { documentTable, tallyColumns } from '../schema/layout.js';
import { isCopying } from './copy-progress.js';
import { rowsOf, storedRevisions, storedTables, type StoredRow, type StoredTable } from './read-tables.js';
import { toolSession, withNamedFailures, type ToolSession } from './tool-session.js';

export interface DatabaseDamage {
  readonly kind: string;
  readonly partition: string;
  /** Absent if the damage does not concern a single record. */
  readonly id?: string;
  readonly reason: string;
}

export interface DatabaseVerification {
  readonly schemaVersion: number;
  readonly tables: number;
  readonly records: number;
  readonly revisions: number;
  /** Whether the schema contains an unfinished copy, on which no node starts. */
  readonly isUnfinished: boolean;
  /** Empty if everything is intact; otherwise the first hundred findings. */
  readonly damage: readonly DatabaseDamage[];
}

const DAMAGE_AT_MOST = 100;

/** Checks one snapshot; nodes may run meanwhile. Rejects with `STORE_UNAVAILABLE`. */
export async function verifyDatabase(options: PostgresStoreOptions): Promise<DatabaseVerification> {
  demandObject(options, 'verifyDatabase', 'options', 'the address of a database');
  const session = await toolSession({ ...options, migrate: false });
  try {
    return await withNamedFailures(() => verify(session));
  } finally {
    await session.close();
  }
}

async function verify(session: ToolSession): Promise<DatabaseVerification> {
  const { client, tables, schema } = session;
  await client.query('begin transaction isolation level repeatable read read only');
  const stored = await storedTables(client, tables);
  const damage: DatabaseDamage[] = [];
  let records = 0;
  for (const each of stored) {
    for await (const row of rowsOf(client, tables, each, columnsOf(each))) {
      records += 1;
      const reason = damageOf(each, row);
      if (reason === undefined || damage.length === DAMAGE_AT_MOST) continue;
      damage.push({ kind: each.kind, partition: each.partition, id: String(row['id']), reason });
    }
  }
  const isUnfinished = await isCopying(client, tables);
  if (!isUnfinished && damage.length < DAMAGE_AT_MOST) damage.push(...(await tallyDamage(session)));
  const revisions = (await storedRevisions(client, tables)).length;
  return { schemaVersion: schema.to, tables: stored.length, records, revisions, isUnfinished, damage };
}

const columnsOf = ({ table }: StoredTable): string[] => [
  ...table.address,
  ...table.keys,
  ...table.sorts.map((column) => `encode(${column}, 'hex') as ${column}`),
  `case when unsorted then 't' else 'f' end as unsorted`,
  // An empty array and null are equivalent: commits store null, but a copied row may have an empty array.
  `nullif(array_to_string(elements, chr(${ELEMENT_SEPARATOR.charCodeAt(0)})), '') as elements`,
  'name',
];

function damageOf({ kind, partition }: StoredTable, row: StoredRow): string | undefined {
  const value = parsed(row.body);
  if (value === undefined) return 'it is not JSON, or has no id';
  const { table, values } = rowOf(kind as RecordKind, partition, value);
  const wrong = rowColumns(table).find((column, at) => (row[column] ?? null) !== values[at]);
  return wrong === undefined ? undefined : `the column ${wrong} is not what the record says`;
}

function parsed(body: string): { readonly id: string } | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
      ? (value as { readonly id: string })
      : undefined;
  } catch {
    return undefined;
  }
}

/** Partitions whose tally differs from their documents. */
async function tallyDamage({ client, tables }: ToolSession): Promise<DatabaseDamage[]> {
  const keys = tallyColumns.map((column) => `coalesce(${column}, '')`).join(', ');
  const columns = ['partition', ...tallyColumns].join(', ');
  const text = `select partition from (
  select ${columns}, sum(n) as difference from (
   select ${columns}, n from ${tables.tally}
   union all select partition, ${keys}, -count(*) from ${tables.document} group by partition, ${keys}) both_sides(${columns}, n)
  group by ${columns} having sum(n) <> 0) wrong
 group by partition order by partition limit ${DAMAGE_AT_MOST}`;
  const { rows } = await client.query<{ partition: string }>(text);
  return rows.map(({ partition }) => ({
    kind: documentTable.name,
    partition,
    reason: 'the totals are not those of the documents',
  }));
}
