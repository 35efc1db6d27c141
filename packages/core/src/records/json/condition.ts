/** Conditions of queries, as plain data that every store can translate. */
import { valueAt } from './path.js';
import { sameJson, type Json } from './json.js';

/**
 * - `eq`: the value at `path` equals `value`; where the record holds a list there, one of its elements does.
 *   `null` also matches a missing path.
 * - `ne`, `nin`: the opposite of `eq` and `in`; so a missing path matches `ne 'x'`.
 * - `in`: `eq` to one of the values; an empty list matches nothing.
 * - `gt`, `gte`, `lt`, `lte`: only between two numbers, or two texts (compared by UTF-16 code units).
 */
export type Comparison =
  | { readonly path: string; readonly op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'; readonly value: Json }
  | { readonly path: string; readonly op: 'in' | 'nin'; readonly value: readonly Json[] };

/** `all: []` matches every record, `any: []` none. */
export type Condition =
  | Comparison
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

export const everything: Condition = { all: [] };
export const nothing: Condition = { any: [] };

export const equalTo = (path: string, value: Json): Comparison => ({ path, op: 'eq', value });

/** Whether `record` meets `condition`. Defines the semantics for every store. */
export function matches(record: unknown, condition: Condition): boolean {
  if ('all' in condition) return condition.all.every((part) => matches(record, part));
  if ('any' in condition) return condition.any.some((part) => matches(record, part));
  if ('not' in condition) return !matches(record, condition.not);
  const actual = valueAt(record, condition.path);
  switch (condition.op) {
    case 'eq':
      return equals(actual, condition.value);
    case 'ne':
      return !equals(actual, condition.value);
    case 'in':
      return condition.value.some((value) => equals(actual, value));
    case 'nin':
      return !condition.value.some((value) => equals(actual, value));
    default:
      return isOrdered(actual, condition.op, condition.value);
  }
}

function equals(actual: unknown, value: Json): boolean {
  if (actual === undefined) return value === null;
  if (actual === value) return true;
  if (Array.isArray(actual) && !Array.isArray(value)) return actual.some((item: unknown) => equals(item, value));
  if (typeof actual !== 'object' || typeof value !== 'object') return false;
  return actual !== null && value !== null && sameJson(actual, value);
}

function isOrdered(actual: unknown, op: 'gt' | 'gte' | 'lt' | 'lte', value: Json): boolean {
  const comparable =
    (typeof actual === 'number' && typeof value === 'number') ||
    (typeof actual === 'string' && typeof value === 'string');
  if (!comparable) return false;
  switch (op) {
    case 'gt':
      return actual > value;
    case 'gte':
      return actual >= value;
    case 'lt':
      return actual < value;
    case 'lte':
      return actual <= value;
  }
}

/** The conjunction, flattened: stores look for indexed comparisons at the top level. */
export function allOf(...conditions: readonly Condition[]): Condition {
  // Each read of a grid makes several: `flatMap` takes several times as long.
  const parts: Condition[] = [];
  for (const condition of conditions) {
    if ('all' in condition) parts.push(...condition.all);
    else parts.push(condition);
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { all: parts };
}
