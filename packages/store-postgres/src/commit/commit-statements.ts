/** Builds the statements that commit a group of clusters: one, or a transaction of several if records are deleted. */
import type { Address } from '../codec/row.js';
import { planEachTime } from '../connection/sessions.js';
import type { Statement } from '../connection/statement.js';
import type { Table } from '../schema/layout.js';
import type { Tables } from '../schema/tables.js';
import type { Cluster, Move, Put } from './cluster.js';
import {
  commitSql,
  deleteColumns,
  deleteSql,
  laterPutsSql,
  moveColumns,
  putColumns,
  SEPARATOR,
  tablesOfRecords,
} from './commit-sql.js';

const begin: Statement = { text: 'begin', values: [] };
const commit: Statement = { text: 'commit', values: [] };

type Value = string | number | null | undefined;

/** The result of the statement at index `outcome` names the failed clusters. */
export interface CommitStatements {
  readonly statements: readonly Statement[];
  readonly outcome: number;
}

export class CommitWriter {
  readonly #tables: Tables;
  /** Cached, since the texts are long and few. */
  readonly #texts = new Map<string, string>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /**
   * `history`: the row of the history that the lane is in. `isLocked`: the statements end a transaction that holds the
   * locks of all revisions.
   */
  statements(
    lane: string,
    number: number,
    history: string,
    clusters: readonly Cluster[],
    isLocked = false,
  ): CommitStatements {
    const puts = tablesOfRecords.filter((table) => clusters.some((cluster) => putsIn(cluster, table).length > 0));
    const deletes = tablesOfRecords.filter((table) =>
      clusters.some((cluster) => cluster.deletes.some((address) => address.table === table)),
    );
    const head = [lane, number, history, ...parameters(moveColumns, movesOf(clusters))];
    if (deletes.length === 0) {
      const text = this.#commitText(puts, isLocked);
      const values = [...head, ...puts.flatMap((table) => putParameters(clusters, table))];
      return { statements: [{ text, values }, ...(isLocked ? [commit] : [])], outcome: 0 };
    }
    const statements = [
      { text: this.#commitText([], isLocked), values: head },
      ...this.#afterMoves(lane, clusters, puts, deletes),
      commit,
    ];
    return isLocked ? { statements, outcome: 0 } : { statements: [begin, ...statements], outcome: 1 };
  }

  #commitText(puts: readonly Table[], isLocked: boolean): string {
    const name = `commit ${isLocked ? 'locked ' : ''}${namesOf(puts)}`;
    return this.#text(name, () => commitSql(this.#tables, puts, isLocked));
  }

  #afterMoves(
    lane: string,
    clusters: readonly Cluster[],
    puts: readonly Table[],
    deletes: readonly Table[],
  ): Statement[] {
    const tables = this.#tables;
    const moved = clusters.flatMap(({ moves }) => moves.map(({ name }) => name)).join(SEPARATOR);
    const values = puts.flatMap((table) => putParameters(clusters, table));
    return [
      planEachTime,
      ...deletes.map((table) => ({
        text: this.#text(`delete ${table.name}`, () => deleteSql(tables, table)),
        values: [lane, ...parameters(deleteColumns(table), deletesOf(clusters, table))],
      })),
      ...(puts.length === 0
        ? []
        : [
            {
              text: this.#text(`put ${namesOf(puts)}`, () => laterPutsSql(tables, puts)),
              values: [lane, moved, ...values],
            },
          ]),
    ];
  }

  #text(name: string, make: () => string): string {
    const cached = this.#texts.get(name);
    if (cached !== undefined) return cached;
    const text = make();
    this.#texts.set(name, text);
    return text;
  }
}

const namesOf = (tables: readonly Table[]): string => tables.map(({ name }) => name).join(' ');

/** One text per column with its values in row order. */
const parameters = (columns: readonly string[], rows: readonly Readonly<Record<string, Value>>[]): string[] =>
  columns.map((column) => rows.map((row) => String(row[column] ?? '')).join(SEPARATOR));

const movesOf = (clusters: readonly Cluster[]): Record<string, Value>[] =>
  clusters.flatMap(({ moves }, cluster) => moves.map((move) => ({ cluster, ...columnsOf(move) })));

const columnsOf = ({ name, was, steps, fullName }: Move): Record<string, Value> => ({
  name,
  was,
  steps,
  full_name: fullName,
});

const putsIn = ({ puts }: Cluster, table: Table): readonly Put[] => puts.filter(({ row }) => row.table === table);

/** One text for each of `putColumns`. */
function putParameters(clusters: readonly Cluster[], table: Table): string[] {
  const columns = putColumns(table).map((): string[] => []);
  for (const [cluster, of] of clusters.entries()) {
    for (const { row, position } of putsIn(of, table)) {
      const values = [String(cluster), String(position), ...row.values, row.body];
      for (const [at, column] of columns.entries()) column.push(values[at] ?? '');
    }
  }
  return columns.map((values) => values.join(SEPARATOR));
}

const deletesOf = (clusters: readonly Cluster[], table: Table): Record<string, Value>[] =>
  clusters.flatMap(({ deletes }, cluster) =>
    deletes
      .filter((address) => address.table === table)
      .map(({ partition, kind, id }: Address) => ({ cluster, partition, kind, id })),
  );
