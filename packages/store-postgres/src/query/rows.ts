/** Rows as statements answer them, and their order. */
import { BlockworkError } from '@blockwork/core';
import type { Parameters } from './parameters.js';
import type { Question } from './question.js';

export interface PageRow {
  readonly body: string;
  readonly place: string;
  /** The sort key, where the question is in the order of one. */
  readonly sort: Buffer | null;
  /** Whether the page is larger than asked for: its bodies are left out. A body that is empty otherwise is damage. */
  readonly unsure?: boolean;
}

/** A new row in every answer. */
export interface HeadRow {
  readonly body: null;
  /** The stamp of the partition. */
  readonly place: string | null;
  /** Whether there are rows that only the records themselves can tell about. */
  readonly unsure: boolean;
}

export type Answer = PageRow | HeadRow;

export const isRow = (row: Answer): row is PageRow => row.body !== null;

/** Sorted already, as a rule; but no database promises the order of rows that were put together with another one. */
export function inOrder(question: Question, rows: PageRow[]): PageRow[] {
  const sign = question.sortColumn !== undefined && question.direction === 'desc' ? -1 : 1;
  return rows.sort((a, b) => sign * (compareKeys(a.sort, b.sort) || comparePlaces(a.place, b.place)));
}

export const tooLarge = (limit: number): BlockworkError => new BlockworkError('PAGE_TOO_LARGE', { facts: { limit } });

/** Only the rows that follow, in the order of the question. */
export function rowsAfter(
  { sortColumn, direction }: Question,
  { place, sort }: Pick<PageRow, 'place' | 'sort'>,
  parameters: Parameters,
): string {
  if (sortColumn === undefined) return `place > ${parameters.add(place)}::bigint`;
  // Compared as a pair, which an index over both can begin at.
  const last = `(${parameters.add(sort)}::bytea, ${parameters.add(place)}::bigint)`;
  return `(${sortColumn}, place) ${direction === 'desc' ? '<' : '>'} ${last}`;
}

const compareKeys = (a: Buffer | null, b: Buffer | null): number =>
  a === null || b === null ? 0 : Buffer.compare(a, b);

/** Whole numbers, which may be too large for `Number`. */
const comparePlaces = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);
