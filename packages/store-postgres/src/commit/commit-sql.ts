/**
 * The statement that commits a group of clusters. It changes each table once and uses no PostgreSQL-only features, so that
 * protocol-compatible databases accept it too.
 *
 * It sees one snapshot: if another transaction has changed a revision since, it fails as a whole (40001) and is retried.
 */
import { documentTable, recordTable, tallyColumns, type Table } from '../schema/layout.js';
import type { Tables } from '../schema/tables.js';
import { ELEMENT_SEPARATOR, rowColumns } from '../codec/row.js';
import { historyRowSql } from '../connection/server-history.js';
import { rowAt } from '../query/row-at.js';

/** Separates the values of a column in its parameter; `''` stands for null. Escaped text has no line breaks and is never empty. */
export const SEPARATOR = '\n';

/** Microseconds since 2020, times 4096: room for the positions within a commit. Lasts until 2091. */
const moment = '((extract(epoch from statement_timestamp()) - 1577836800) * 1000000)::bigint * 4096';
/** Minimum increment of a revision's place, in case the database clock is set back. */
const STEP = 65_536;

export const moveColumns = ['cluster', 'name', 'was', 'steps', 'full_name'] as const;

export const putColumns = (table: Table): readonly string[] => ['cluster', 'position', ...rowColumns(table), 'body'];

export const deleteColumns = (table: Table): readonly string[] => ['cluster', ...table.address];

/** SQL fragments by which the parts of a commit find the failed clusters and the places. */
interface Source {
  readonly failed: string;
  readonly places: string;
}

/** Within the statement that advances the revisions. */
const within: Source = {
  failed: 'a.cluster in (select cluster from failed)',
  places: 'left join moved m on m.key = a.partition',
};

/** In a later statement of the same transaction: $1 is the lane, $2 the names of the advanced revisions. */
const afterwards = ({ revision, lane }: Tables): Source => ({
  failed: `a.cluster = any(string_to_array((select failed from ${lane} where id = $1::text), ','))`,
  places: `left join ${revision} m on m.key = a.partition and m.key = any(string_to_array($2::text, e'\\n'))`,
});

/**
 * $1: the lane, $2: its new number, $3: the row of the history, then a parameter for each of `moveColumns`, then for each of
 * `putColumns` of the tables. `isLocked`: the transaction holds the locks of all its revisions.
 */
export function commitSql(tables: Tables, puts: readonly Table[], isLocked = false): string {
  const next = placeholders(4);
  const parts = [movedParts(tables, next, isLocked), ...puts.flatMap((table) => putParts(tables, table, within, next))];
  return `with ${parts.join(',\n')}\n${outcome}`;
}

/** $1: the lane, $2: the names of the revisions, then `putColumns` of the tables. */
export function laterPutsSql(tables: Tables, puts: readonly Table[]): string {
  const next = placeholders(3);
  const parts = puts.flatMap((table) => putParts(tables, table, afterwards(tables), next));
  return `with ${parts.join(',\n')}\nselect 1`;
}

/** $1: the lane, then `deleteColumns`. */
export function deleteSql(tables: Tables, table: Table): string {
  const columns = deleteColumns(table);
  const same = table.address.map((column) => `r.${column} = a.${column}`).join(' and ');
  const deleteRemoved = `delete from ${tables[table.name]} r using ${rows(columns, placeholders(2))}
 where ${same} and not (${afterwards(tables).failed})`;
  if (table !== documentTable) return deleteRemoved;
  return `with gone as (\n  ${deleteRemoved}\n  returning r.*),\n${tallied(tables, '', 'gone')}\nselect 1`;
}

/** The refused clusters, plus a row without one, which fails if the lane has not advanced. */
const outcome = `select null::text as cluster, null::text as name, (1 / (case when (select count(*) from laned) = 1 then 1 else 0 end))::bigint as number
 union all select cluster, name, number from known where was <> number`;

/**
 * The lane advances only if it is where this node left it, in the same history, and the transaction has snapshot isolation
 * unless its revisions are locked.
 */
const movedParts = ({ revision, lane, history }: Tables, next: () => string, isLocked: boolean): string => `asked as (
  select a.cluster, a.name, a.was::bigint as was, a.steps::bigint as steps, a.full_name from ${rows(moveColumns, next)}),
known as (
  select a.*, coalesce(r.number, 0) as number, coalesce(r.place, 0) as place
  from asked a left join lateral (select k.number, k.place from ${revision} k where k.key = a.name limit 1) r on true),
failed as (
  select distinct cluster from known where was <> number),
moved as (
  insert into ${revision} (key, number, place, name)
  select name, number + steps, greatest(place + ${STEP}, ${moment}), full_name from known
   where cluster not in (select cluster from failed) order by name
  on conflict (key) do update set number = excluded.number, place = excluded.place
  returning key, place),
laned as (
  update ${lane} set number = $2::bigint, used_at = statement_timestamp(),
   failed = coalesce((select string_agg(cluster, ',') from failed), '')
   where id = $1::text and number = $2::bigint - 1 and ${historyRowSql({ history })} = $3::text${isLocked ? '' : isIsolated}
  returning 1)`;

const isIsolated = `
   and current_setting('transaction_isolation') in ('repeatable read', 'serializable')`;

function putParts(tables: Tables, table: Table, { failed, places }: Source, next: () => string): string[] {
  const name = `new_${table.name}`;
  const columns = [...table.keys, ...table.sorts, 'unsorted', 'elements', 'name', 'body'];
  const values = [
    ...table.address.map((column) => `a.${column}`),
    `coalesce(m.place, ${moment}) + a.position::bigint as place`,
    ...table.keys.map((column) => `a.${column}`),
    ...table.sorts.map((column) => `decode(a.${column}, 'hex') as ${column}`),
    `a.unsorted = 't' as unsorted`,
    `string_to_array(a.elements, e'\\x${hex(ELEMENT_SEPARATOR)}') as elements`,
    'a.name',
    'a.body',
  ];
  const parts = [
    `${name} as (
  select ${values.join(', ')}
  from ${rows(putColumns(table), next)} ${places} where not (${failed}))`,
    `put_${table.name} as (
  insert into ${tables[table.name]} (${[...table.address, 'place', ...columns].join(', ')})
  select * from ${name} order by ${table.address.join(', ')}
  on conflict (${table.address.join(', ')}) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
  returning 1)`,
  ];
  return table === documentTable ? [...parts, replaced(tables), tallied(tables, name, 'replaced')] : parts;
}

/** The previous versions of the written documents. */
const replaced = ({ document }: Tables): string => `replaced as (
  select r.* from new_document n cross join lateral (${rowAt(document, documentTable, 'n')}) r)`;

/** Adds the rows of `added`, if any, to the tally, and subtracts those of `removed`. */
function tallied({ tally }: Tables, added: string, removed: string): string {
  const keys = tallyColumns.map((column) => `coalesce(${column}, '')`).join(', ');
  const columns = ['partition', ...tallyColumns].join(', ');
  const parts = [
    ...(added === '' ? [] : [`select partition, ${keys}, 1 from ${added}`]),
    `select partition, ${keys}, -1 from ${removed}`,
  ];
  return `tallied as (
  insert into ${tally} as t (${columns}, n)
  select ${columns}, sum(change) from (${parts.join(' union all ')}) as c(${columns}, change)
  group by ${columns} having sum(change) <> 0 order by ${columns}
  on conflict (${columns}) do update set n = t.n + excluded.n
  returning 1)`;
}

/** Rows `a`, each column of which comes from one parameter. */
const rows = (columns: readonly string[], next: () => string): string =>
  `unnest(${columns.map(() => `string_to_array(${next()}::text, e'\\n', '')`).join(', ')}) as a(${columns.join(', ')})`;

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');

function placeholders(first: number): () => string {
  let number = first;
  return () => `$${number++}`;
}

export const tablesOfRecords: readonly Table[] = [documentTable, recordTable];
