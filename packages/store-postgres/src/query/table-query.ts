/** A query over the records of one kind in one partition, and the SQL fragments shared by its statements. */
import { everything, type Condition, type Order, type RecordKind } from '@blockwork/core/adapter';
import { cloneJson, INSTANCE } from '@blockwork/core/records';
import { nameOf } from '../codec/name.js';
import { layoutOf, type Layout } from '../schema/layout.js';
import type { Tables } from '../schema/tables.js';
import { ConditionSql, type Reach } from './condition-sql.js';
import { normalForm, type NormalForm } from './normal-form.js';
import { Parameters } from './parameters.js';

/** The SQL of what is never the case. It uses none of the parameters. */
export const NEVER = 'false';

export class TableQuery {
  readonly kind: RecordKind;
  readonly partition: string;
  readonly where: Condition;
  readonly order: Order | undefined;
  readonly table: string;
  /** The rows of the kind in the partition; its placeholders are in `parameters()`. */
  readonly scope: string;
  /** The column of the requested order; `undefined` if none is requested or no column has it. */
  readonly sortColumn: string | undefined;
  /** Whether the columns decide the condition exactly. */
  readonly isPlain: boolean;
  /** The columns the condition refers to. */
  readonly columns: ReadonlySet<string>;
  /** The stamp of the partition, which changes with every commit to it; null for the partition shared by all policies. */
  readonly stamp: string;
  readonly #tables: Tables;
  /** In database names. */
  readonly #names: string | readonly string[];
  readonly #layout: Layout;
  readonly #form: NormalForm;

  /**
   * Copies its arguments, since the caller may modify them while the query runs. `partitions`: several to query instead of
   * `partition`; then there is no stamp.
   */
  constructor(
    tables: Tables,
    kind: RecordKind,
    partition: string,
    where: Condition = everything,
    order?: Order,
    partitions?: readonly string[],
  ) {
    this.where = cloneJson(where);
    this.order = order && { ...order };
    this.#tables = tables;
    this.kind = kind;
    this.partition = partition;
    this.#names = partitions?.map(nameOf) ?? nameOf(partition);
    this.#layout = layoutOf(kind);
    this.#form = normalForm(this.where);
    const { name, address } = this.#layout.table;
    this.table = tables[name];
    const ofPartitions = partitions === undefined ? 'partition = $1' : 'partition = any($1::text[])';
    this.scope = address.includes('kind') ? `${ofPartitions} and kind = $2` : ofPartitions;
    this.sortColumn = this.#layout.sorts.find(({ path }) => path === order?.path)?.column;
    const condition = this.#conditionSql('plain', this.parameters());
    this.isPlain = condition.of(this.#form).isExact;
    this.columns = condition.columns;
    const hasStamp = partition !== INSTANCE;
    this.stamp = hasStamp ? `(select place from ${tables.revision} where key = $1)` : 'null::bigint';
  }

  get hasStamp(): boolean {
    return this.partition !== INSTANCE;
  }

  /** Whether a column provides the requested order. */
  get isSorted(): boolean {
    return this.order === undefined || this.sortColumn !== undefined;
  }

  get direction(): 'asc' | 'desc' {
    return this.order?.direction ?? 'asc';
  }

  /** By the column, otherwise in insertion order. */
  get orderBy(): string {
    const { direction, sortColumn } = this;
    return sortColumn === undefined ? 'order by place' : `order by ${sortColumn} ${direction}, place ${direction}`;
  }

  /** The query in insertion order. */
  unsorted(): TableQuery {
    return new TableQuery(this.#tables, this.kind, this.partition, this.where);
  }

  /** New parameters that start with the values of `scope`. */
  parameters(): Parameters {
    return new Parameters(this.#layout.table.address.includes('kind') ? [this.#names, this.kind] : [this.#names]);
  }

  /** Matches the rows that meet, or may meet, the condition. */
  matching(reach: Reach, parameters: Parameters): string {
    return `${this.scope} and ${this.#conditionSql(reach, parameters).of(this.#form).text}`;
  }

  /**
   * As `matching`, of the rows that have a place in the requested order; one without makes the answer unsure. That it is said lets a partial
   * index give the order.
   */
  matchingInOrder(reach: Reach, parameters: Parameters): string {
    const matching = this.matching(reach, parameters);
    return this.sortColumn === undefined ? matching : `${matching} and ${this.sortColumn} is not null`;
  }

  /** Whether some rows are undecided by their columns, in which case the plain condition may be wrong. */
  hasUnsure(parameters: Parameters, table = this.table): string {
    const condition = this.#conditionSql('wide', this.parameters());
    condition.of(this.#form);
    const { lists, texts } = condition.unsure;
    if (this.sortColumn !== undefined) texts.add(`${this.sortColumn} is null`);
    const exists = (which: string, unsure: ReadonlySet<string>): string[] => {
      // Unused placeholders have no type, so none may be created needlessly.
      if (unsure.size === 0) return [];
      const rows = `${this.matching('wide', parameters)} and ${which} and (${[...unsure].join(' or ')})`;
      return [`exists (select 1 from ${table} where ${rows})`];
    };
    const either = [...exists('elements is not null', lists), ...exists('unsorted', texts)];
    return either.length === 0 ? NEVER : `(${either.join(' or ')})`;
  }

  #conditionSql(reach: Reach, parameters: Parameters): ConditionSql {
    return new ConditionSql(this.#layout, reach, parameters);
  }
}
