/** What is asked of the records of one kind in one partition, and the pieces of SQL that every statement about it is made of. */
import { everything, type Condition, type Order, type RecordKind } from '@blockwork/core/adapter';
import { cloneJson, INSTANCE } from '@blockwork/core/records';
import { nameOf } from '../codec/name.js';
import { layoutOf, type Layout } from '../schema/layout.js';
import type { Tables } from '../schema/tables.js';
import { ConditionSql, type Reach } from './condition-sql.js';
import { normalForm, type NormalForm } from './normal-form.js';
import { Parameters } from './parameters.js';

export class Question {
  readonly kind: RecordKind;
  readonly partition: string;
  readonly where: Condition;
  readonly order: Order | undefined;
  readonly table: string;
  /** The rows of the kind in the partition; its placeholders are in `parameters()`. */
  readonly scope: string;
  /** The column that is in the order asked for; `undefined` when none is asked for, or no column has it. */
  readonly sortColumn: string | undefined;
  /** Whether the columns say everything that the condition asks. */
  readonly isPlain: boolean;
  /** The columns that the condition asks about. */
  readonly columns: ReadonlySet<string>;
  /** The stamp of the partition, which moves with every commit to it; null for the partition that all policies share. */
  readonly stamp: string;
  readonly #tables: Tables;
  /** As the database has them. */
  readonly #names: string | readonly string[];
  readonly #layout: Layout;
  readonly #form: NormalForm;

  /** Takes copies: what it was given stays the caller's, who may change it while the answer is under way. */
  /** `together`: partitions that are asked about at once, in place of the one; then there is no stamp. */
  constructor(
    tables: Tables,
    kind: RecordKind,
    partition: string,
    where: Condition = everything,
    order?: Order,
    together?: readonly string[],
  ) {
    this.where = cloneJson(where);
    this.order = order && { ...order };
    this.#tables = tables;
    this.kind = kind;
    this.partition = partition;
    this.#names = together?.map(nameOf) ?? nameOf(partition);
    this.#layout = layoutOf(kind);
    this.#form = normalForm(this.where);
    const { name, address } = this.#layout.table;
    this.table = tables[name];
    const ofPartitions = together === undefined ? 'partition = $1' : 'partition = any($1::text[])';
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

  /** Whether a column gives the order asked for. */
  get isSorted(): boolean {
    return this.order === undefined || this.sortColumn !== undefined;
  }

  get direction(): 'asc' | 'desc' {
    return this.order?.direction ?? 'asc';
  }

  /** By the column, or else in the order of insertion. */
  get orderBy(): string {
    const { direction, sortColumn } = this;
    return sortColumn === undefined ? 'order by place' : `order by ${sortColumn} ${direction}, place ${direction}`;
  }

  /** The same question, answered in the order of insertion. */
  unsorted(): Question {
    return new Question(this.#tables, this.kind, this.partition, this.where);
  }

  /** Those of `scope`. */
  parameters(): Parameters {
    return new Parameters(this.#layout.table.address.includes('kind') ? [this.#names, this.kind] : [this.#names]);
  }

  /** Where the rows are that meet the condition, or may meet it. */
  matching(reach: Reach, parameters: Parameters): string {
    return `${this.scope} and ${this.#conditionSql(reach, parameters).of(this.#form).text}`;
  }

  /** Whether there are rows that only the records themselves can tell about: then the plain condition may be wrong. */
  hasUnsure(parameters: Parameters, table = this.table): string {
    const asked = this.#conditionSql('wide', this.parameters());
    asked.of(this.#form);
    const { lists, texts } = asked.unsure;
    if (this.sortColumn !== undefined) texts.add(`${this.sortColumn} is null`);
    const exists = (which: string, unsure: ReadonlySet<string>): string[] => {
      // A placeholder that is not used has no type, so none may be made in vain.
      if (unsure.size === 0) return [];
      const rows = `${this.matching('wide', parameters)} and ${which} and (${[...unsure].join(' or ')})`;
      return [`exists (select 1 from ${table} where ${rows})`];
    };
    const either = [...exists('elements is not null', lists), ...exists('unsorted', texts)];
    return either.length === 0 ? 'false' : `(${either.join(' or ')})`;
  }

  #conditionSql(reach: Reach, parameters: Parameters): ConditionSql {
    return new ConditionSql(this.#layout, reach, parameters);
  }
}
