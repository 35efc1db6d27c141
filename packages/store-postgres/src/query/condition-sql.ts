/** Conditions as SQL over the columns of a kind. */
import type { Json } from '@blockwork/core';
import type { Comparison } from '@blockwork/core/adapter';
import { LIST } from '../codec/equality-key.js';
import type { Layout } from '../schema/layout.js';
import { keyEquals, idEquals } from './equality-sql.js';
import type { NormalForm } from './normal-form.js';
import type { Parameters } from './parameters.js';
import { isInRange, type RangeOperator } from './range-sql.js';
import { always, never, type Sql } from './sql.js';

/**
 * - `plain`: exact for rows fully described by their columns, and index-friendly; undefined for others.
 * - `wide`: also true for every other row that may match.
 */
export type Reach = 'plain' | 'wide';

interface Ranged {
  readonly path: string;
  readonly op: RangeOperator;
  readonly value: Json;
}

export class ConditionSql {
  readonly #layout: Layout;
  readonly #reach: Reach;
  readonly #parameters: Parameters;
  /** Conditions for rows the columns cannot decide: oversized lists for keys, and texts without a sort key for ranges. */
  readonly unsure = { lists: new Set<string>(), texts: new Set<string>() };
  /** The columns it refers to. */
  readonly columns = new Set<string>();

  constructor(layout: Layout, reach: Reach, parameters: Parameters) {
    this.#layout = layout;
    this.#reach = reach;
    this.#parameters = parameters;
  }

  of(form: NormalForm): Sql {
    if ('comparison' in form) return this.#comparison(form.comparison, form.isNegated);
    const isEvery = 'every' in form;
    const parts = (isEvery ? form.every : form.some).map((part) => this.of(part));
    if (parts.length === 0) return isEvery ? always : never;
    const text = parts.map((part) => part.text).join(isEvery ? ' and ' : ' or ');
    return { text: isEvery && parts.length === 1 ? text : `(${text})`, isExact: parts.every(({ isExact }) => isExact) };
  }

  #comparison(comparison: Comparison, isNegated: boolean): Sql {
    const values = valuesOf(comparison);
    if (values === null) return this.#range(comparison as Ranged, isNegated);
    const { path } = comparison;
    if (path === 'id') {
      this.columns.add(path);
      return idEquals(values, isNegated, this.#parameters);
    }
    const column = this.#layout.keys.find((key) => key.path === path)?.column;
    if (column === undefined) return this.#byText(values, isNegated);
    this.columns.add(column);
    this.unsure.lists.add(`${column} = '${LIST}'`);
    const { missing } = this.#layout;
    const includesLists = this.#reach === 'wide';
    return keyEquals({ column, missing, values, isNegated, includesLists }, this.#parameters);
  }

  #range({ path, op, value }: Ranged, isNegated: boolean): Sql {
    const column = this.#layout.sorts.find((sort) => sort.path === path)?.column;
    if (column === undefined) return { text: 'true', isExact: false };
    this.columns.add(column);
    this.unsure.texts.add(`${column} is null`);
    return isInRange(column, op, value, isNegated, this.#reach === 'wide', this.#parameters);
  }

  /** Fallback without a column: a record with a text contains it in its JSON, as `JSON.stringify` writes it. */
  #byText(values: readonly Json[], isNegated: boolean): Sql {
    if (values.length === 0) return isNegated ? always : never;
    if (isNegated || values.some((value) => typeof value !== 'string')) return { text: 'true', isExact: false };
    const holds = values.map((value) => `strpos(body, ${this.#parameters.add(JSON.stringify(value))}) > 0`);
    return { text: `(${holds.join(' or ')})`, isExact: false };
  }
}

/** The operands of an equality; `null` for a range. */
function valuesOf(comparison: Comparison): readonly Json[] | null {
  if (comparison.op === 'in' || comparison.op === 'nin') return comparison.value;
  return comparison.op === 'eq' || comparison.op === 'ne' ? [comparison.value] : null;
}
