/** The result rows of page queries, and their order. */
import { BlockworkError } from '@blockwork/core';
import type { Parameters } from './parameters.js';
import type { TableQuery } from './table-query.js';

export interface PageRow {
  readonly body: string;
  readonly place: string;
  /** The sort key, if the query is ordered by one. */
  readonly sort: Buffer | null;
  /** Whether the page exceeds the size limit; its bodies are then empty. Otherwise an empty body means damage. */
  readonly unsure?: boolean;
}

/** The head row of every result. */
export interface HeadRow {
  readonly body: null;
  /** The stamp of the partition. */
  readonly place: string | null;
  /** Whether some rows are undecided by their columns. */
  readonly unsure: boolean;
}

export type Answer = PageRow | HeadRow;

export const isRow = (row: Answer): row is PageRow => row.body !== null;

/** Usually sorted already, but SQL does not guarantee the order of a `union`. */
export function inOrder(query: TableQuery, rows: PageRow[]): PageRow[] {
  const sign = query.sortColumn !== undefined && query.direction === 'desc' ? -1 : 1;
  return rows.sort((a, b) => sign * (compareKeys(a.sort, b.sort) || comparePlaces(a.place, b.place)));
}

export const tooLarge = (limit: number): BlockworkError => new BlockworkError('PAGE_TOO_LARGE', { facts: { limit } });

/** A condition for the rows after the anchor, in query order. */
export function rowsAfter(
  { sortColumn, direction }: TableQuery,
  { place, sort }: Pick<PageRow, 'place' | 'sort'>,
  parameters: Parameters,
): string {
  if (sortColumn === undefined) return `place > ${parameters.add(place)}::bigint`;
  // Row comparison, which a composite index can seek to.
  const last = `(${parameters.add(sort)}::bytea, ${parameters.add(place)}::bigint)`;
  return `(${sortColumn}, place) ${direction === 'desc' ? '<' : '>'} ${last}`;
}

const compareKeys = (a: Buffer | null, b: Buffer | null): number =>
  a === null || b === null ? 0 : Buffer.compare(a, b);

/** Integers that may exceed the range of `Number`. */
const comparePlaces = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);
