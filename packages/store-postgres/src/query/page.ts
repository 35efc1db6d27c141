/** Reads a page in one statement: its rows, whether they are exact, and the partition's stamp. */
import type { Run } from '../connection/connections.js';
import type { Statement } from '../connection/statement.js';
import type { Anchor, Anchors } from './anchors.js';
import type { Parameters } from './parameters.js';
import type { TableQuery } from './table-query.js';
import { inOrder, isRow, rowsAfter, tooLarge, type Answer, type PageRow } from './rows.js';

export interface PageRange {
  readonly offset: number;
  readonly limit: number;
  /** Maximum total size of the records. */
  readonly bytes: number;
}

interface Start {
  readonly anchor: Anchor | undefined;
  /** Rows to skip from there. */
  readonly offset: number;
}

/** The rows of the page; `null` if the columns cannot decide the condition and the records must be read. */
export async function readPage(
  run: Run,
  query: TableQuery,
  { offset, limit, bytes }: PageRange,
  anchors: Anchors,
): Promise<PageRow[] | null> {
  const signature = signatureOf(query);
  const nearest = query.hasStamp && offset > 0 ? anchors.nearest(signature, offset) : undefined;
  const start: Start = { anchor: nearest?.anchor, offset: offset - (nearest?.rows ?? 0) };
  const answer = await run<Answer>(pageStatement(query, start, limit, bytes));
  const head = answer.find((row) => row.body === null);
  if (head === undefined || head.unsure) return null;
  if (nearest !== undefined && head.place !== nearest.anchor.stamp) {
    anchors.forget(signature);
    return readPage(run, query, { offset, limit, bytes }, anchors);
  }
  const rows = inOrder(query, answer.filter(isRow));
  if (bytes !== Infinity && rows.some(({ unsure }) => unsure)) throw tooLarge(bytes);
  const last = rows.at(-1);
  if (last !== undefined && rows.length === limit && head.place !== null) {
    anchors.remember(signature, offset + limit, { place: last.place, sort: last.sort, stamp: head.place });
  }
  return rows;
}

function pageStatement(query: TableQuery, { anchor, offset }: Start, limit: number, bytes: number): Statement {
  const parameters = query.parameters();
  const rows = [query.matchingInOrder('plain', parameters), ...startingAfter(query, anchor, parameters)].join(' and ');
  const limited = limit === Infinity ? '' : ` limit ${parameters.add(limit)}::bigint`;
  const skipped = offset === 0 ? '' : ` offset ${parameters.add(offset)}::bigint`;
  const page = `select body, place, ${query.sortColumn ?? 'null::bytea'} as sort, false as unsure from ${query.table}
 where ${rows} ${query.orderBy}${limited}${skipped}`;
  const head = `select null, ${query.stamp}, null, ${query.hasUnsure(parameters)}`;
  return {
    text: `(${bytes === Infinity ? page : sized(page, parameters.add(bytes))})\nunion all ${head}`,
    values: parameters.values,
  };
}

/** Checks the total size first, which does not read out-of-line (TOAST) data, so an oversized page is never loaded. */
const sized = (page: string, bytes: string): string =>
  `select case when size <= ${bytes}::bigint then body else '' end as body, place, sort, size > ${bytes}::bigint as unsure
 from (select body, place, sort, sum(octet_length(body)) over () as size from (${page}) as page) as sized`;

/** Returns no rows if the partition's stamp has changed. */
function startingAfter(query: TableQuery, anchor: Anchor | undefined, parameters: Parameters): string[] {
  if (anchor === undefined) return [];
  const isCurrent = `${query.stamp} = ${parameters.add(anchor.stamp)}::bigint`;
  return [rowsAfter(query, anchor, parameters), isCurrent];
}

/** Identifies the query, independent of the page. */
function signatureOf(query: TableQuery): string {
  const parameters = query.parameters();
  const rows = query.matching('plain', parameters);
  return `${query.table} ${rows} ${query.orderBy} ${JSON.stringify(parameters.values)}`;
}
