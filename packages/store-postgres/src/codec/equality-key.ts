/** Values at indexed paths as text that is equal exactly where `eq` is: what SQL compares instead of the JSON. */
import { shortText } from './name.js';

/** Longest text that is kept readable; four keys fit into one index entry. */
const LONGEST = 120;
/** Of a longer list only the record itself says what it holds. */
const ELEMENTS_AT_MOST = 1000;

/** A list: which values it equals is said by its elements. */
export const LIST = 'l';
/** An object: equals no text, number or flag. */
export const OBJECT = 'o';

/** `null` for what is missing, null, or a number that JSON does not have. */
export function equalityKey(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return `s${shortText(value, LONGEST)}`;
    case 'number':
      // `String(-0)` is "0", as in JSON.
      return Number.isFinite(value) ? `n${String(value)}` : null;
    case 'boolean':
      return value ? 'b1' : 'b0';
    case 'object':
      if (value === null) return null;
      return Array.isArray(value) ? LIST : OBJECT;
    default:
      return null;
  }
}

/** What stands for a missing value where a column needs something to be found by. */
export const MISSING = 'z';

/** The key of one element of a list at a column. */
export const elementKey = (column: string, key: string | null): string => `${column}:${key ?? MISSING}`;

/** Stands for the elements of a list that has too many of them. */
export const longList = (column: string): string => `${column}:?`;

/** Keys of every text, number, flag and null in a list and the lists within it. */
export function elementKeys(column: string, list: readonly unknown[]): readonly string[] {
  const keys = new Set<string>();
  const waiting: unknown[] = [...list];
  while (waiting.length > 0) {
    const item = waiting.pop();
    if (Array.isArray(item)) waiting.push(...(item as unknown[]));
    else if (typeof item !== 'object' || item === null) keys.add(elementKey(column, equalityKey(item)));
    if (keys.size > ELEMENTS_AT_MOST || waiting.length > ELEMENTS_AT_MOST) return [longList(column)];
  }
  return [...keys];
}
