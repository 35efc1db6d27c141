/** Answers queries that the columns cannot decide: fetches candidates in batches, and checks the records themselves. */
import { jsonBytes, matches } from '@blockwork/core/adapter';
import type { Run } from '../connection/connections.js';
import type { Statement } from '../connection/statement.js';
import { Counter, PageInOrder, SortedPage, type Collector, type PageCollector } from './collectors.js';
import type { Reach } from './condition-sql.js';
import { Parameters } from './parameters.js';
import { NEVER, type TableQuery } from './table-query.js';
import type { PageRange } from './page.js';
import { recordIn } from './record-in.js';
import { inOrder, isRow, rowsAfter, tooLarge, type Answer, type PageRow } from './rows.js';

export interface ScanDeps {
  readonly run: Run;
  /** Runs several statements in one snapshot. */
  readonly inSnapshot: <T>(work: (run: Run) => Promise<T>) => Promise<T>;
}

const FIRST_PIECE = 500;
const LARGEST_PIECE = 4000;

export class Scan {
  readonly #query: TableQuery;
  readonly #deps: ScanDeps;

  constructor(query: TableQuery, deps: ScanDeps) {
    this.#query = query;
    this.#deps = deps;
  }

  async count(): Promise<number> {
    const { total } = await this.#collect(() => new Counter());
    return total;
  }

  async page({ offset, limit, bytes }: PageRange): Promise<unknown[]> {
    if (limit <= 0) return [];
    const { order, sortColumn } = this.#query;
    const collector = await this.#collect<PageCollector>((isUnsure) => {
      // A record without a sort key has no position in the column's order.
      const isInOrder = order === undefined || (sortColumn !== undefined && !isUnsure);
      return isInOrder ? new PageInOrder(offset, limit) : new SortedPage(order, offset, limit);
    });
    const { page } = collector;
    if (bytes !== Infinity && page.reduce<number>((sum, record) => sum + jsonBytes(record), 0) > bytes)
      throw tooLarge(bytes);
    return page;
  }

  /** `isUnsure`: some rows are undecided by their columns; records then come in insertion order. */
  async #collect<C extends Collector>(collectorFor: (isUnsure: boolean) => C): Promise<C> {
    const { run, inSnapshot } = this.#deps;
    const answer = await run<Answer>(this.#firstPiece());
    const head = answer.find((row) => row.body === null);
    const rows = answer.filter(isRow);
    if (head?.unsure === false && rows.length < FIRST_PIECE) {
      const collector = collectorFor(false);
      this.#feed(collector, inOrder(this.#query, rows));
      return collector;
    }
    // More than one statement is needed, so they must share a snapshot.
    return inSnapshot(async (one) => this.#collectWhole(one, collectorFor));
  }

  async #collectWhole<C extends Collector>(run: Run, collectorFor: (isUnsure: boolean) => C): Promise<C> {
    const isUnsure = await this.#hasUnsure(run);
    const query = isUnsure ? this.#query.unsorted() : this.#query;
    const collector = collectorFor(isUnsure);
    let last: PageRow | undefined;
    for (let size = FIRST_PIECE; ; size = Math.min(2 * size, LARGEST_PIECE)) {
      const rows = await run<PageRow>(pieceOf(query, isUnsure ? 'wide' : 'plain', last, size));
      if (!this.#feed(collector, rows) || rows.length < size) return collector;
      last = rows.at(-1);
    }
  }

  #feed(collector: Collector, rows: readonly PageRow[]): boolean {
    for (const row of rows) {
      const record = recordIn(row);
      if (matches(record, this.#query.where) && !collector.take(record)) return false;
    }
    return true;
  }

  /** Includes a head row that tells whether the rows are exact. */
  #firstPiece(): Statement {
    const { text, values } = pieceOf(this.#query, 'plain', undefined, FIRST_PIECE);
    const parameters = new Parameters(values);
    const head = `select null, null, null, ${this.#query.hasUnsure(parameters)}`;
    return {
      text: `select piece.*, false as unsure from (${text}) as piece\nunion all ${head}`,
      values: parameters.values,
    };
  }

  async #hasUnsure(run: Run): Promise<boolean> {
    const parameters = this.#query.parameters();
    const hasUnsure = this.#query.hasUnsure(parameters);
    // A statement that does not use its parameters is refused.
    if (hasUnsure === NEVER) return false;
    const rows = await run<{ unsure: boolean }>({ text: `select ${hasUnsure} as unsure`, values: parameters.values });
    return rows[0]?.unsure === true;
  }
}

/** Rows from the start, or after `last`. */
function pieceOf(query: TableQuery, reach: Reach, last: PageRow | undefined, size: number): Statement {
  const parameters = query.parameters();
  const rows = [query.matchingInOrder(reach, parameters), ...(last ? [rowsAfter(query, last, parameters)] : [])];
  const text = `select body, place, ${query.sortColumn ?? 'null::bytea'} as sort from ${query.table}
 where ${rows.join(' and ')} ${query.orderBy} limit ${parameters.add(size)}::bigint`;
  return { text, values: parameters.values };
}
