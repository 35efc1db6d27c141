/** `eq` and `in` as SQL over the columns of equality keys. */
import type { Json } from '@blockwork/core';
import { elementKey, equalityKey, LIST, longList, OBJECT } from '../codec/equality-key.js';
import { nameOf } from '../codec/name.js';
import { always, never, type Sql } from './sql.js';
import type { Parameters } from './parameters.js';

export interface KeyCondition {
  readonly column: string;
  /** The column's placeholder for a missing value. */
  readonly missing: string | null;
  readonly values: readonly Json[];
  readonly isNegated: boolean;
  /** Whether lists that contain a value match too. */
  readonly includesLists: boolean;
}

/** Matches rows whose key in the column equals one of the values. */
export function keyEquals(condition: KeyCondition, parameters: Parameters): Sql {
  const { column, missing, values, isNegated, includesLists } = condition;
  const keys = values.map((value) => equalityKey(value) ?? missing);
  const isStructured = keys.some((key) => key === LIST || key === OBJECT);
  // Equality of lists and objects requires the record itself.
  if (isStructured && isNegated) return { text: 'true', isExact: false };
  const texts = keys.filter((key) => key !== null && key !== LIST && key !== OBJECT) as string[];
  const hasNull = keys.includes(null);
  if (isNegated) return { text: differs(column, texts, hasNull, parameters), isExact: true };
  const parts = [...equalsAny(column, texts, parameters), ...(hasNull ? [`${column} is null`] : [])];
  if (isStructured) parts.push(`${column} in ('${LIST}', '${OBJECT}')`);
  else if (includesLists) parts.push(...listsContaining(column, values.map(equalityKey), parameters));
  return { text: anyOf(parts), isExact: !isStructured };
}

/** Matches rows whose id is one of the values; ids are texts and never null. */
export function idEquals(values: readonly Json[], isNegated: boolean, parameters: Parameters): Sql {
  const ids = values.flatMap((value) => (typeof value === 'string' ? [nameOf(value)] : []));
  if (ids.length === 0) return isNegated ? always : never;
  if (isNegated) return { text: `id <> all(${parameters.add(ids)}::text[])`, isExact: true };
  return { text: anyOf(equalsAny('id', ids, parameters)), isExact: true };
}

function equalsAny(column: string, keys: readonly string[], parameters: Parameters): string[] {
  if (keys.length === 0) return [];
  // An index preserves its order only for a single value.
  if (keys.length === 1) return [`${column} = ${parameters.add(keys[0])}`];
  return [`${column} = any(${parameters.add(keys)}::text[])`];
}

/** Also true for lists with an equal element; such rows must be checked individually. */
function differs(column: string, keys: readonly string[], isNotNull: boolean, parameters: Parameters): string {
  const isOther = keys.length === 0 ? 'true' : `${column} <> all(${parameters.add(keys)}::text[])`;
  return isNotNull ? `(${column} is not null and ${isOther})` : `(${column} is null or ${isOther})`;
}

/** Separate conditions, so that each can use an index. */
const listsContaining = (column: string, keys: readonly (string | null)[], parameters: Parameters): string[] =>
  [...keys.map((key) => elementKey(column, key)), longList(column)].map(
    (element) => `elements @> ${parameters.add([element])}::text[]`,
  );

const anyOf = (parts: readonly string[]): string => (parts.length === 0 ? 'false' : `(${parts.join(' or ')})`);
