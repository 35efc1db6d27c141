/** Encodes values at indexed paths as text that is equal exactly if `eq` holds, so that SQL need not compare JSON. */
import { shortText } from './name.js';

/** Longest text that is kept readable; four keys fit into one index entry. */
const LONGEST = 120;
/** The elements of longer lists are not indexed; the record itself must be read. */
const ELEMENTS_AT_MOST = 1000;

/** Marks a list, whose values are in the elements column. */
export const LIST = 'l';
/** Marks an object, which equals no text, number or boolean. */
export const OBJECT = 'o';

/** `null` for a missing value, null, or a number that JSON cannot represent. */
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

/** Placeholder for a missing value in columns that need a key. */
export const MISSING = 'z';

/** The key of one element of a list at a column. */
export const elementKey = (column: string, key: string | null): string => `${column}:${key ?? MISSING}`;

/** Placeholder for the elements of a list that has too many. */
export const longList = (column: string): string => `${column}:?`;

/** Keys of every text, number, boolean and null in a list and its nested lists. */
export function elementKeys(column: string, list: readonly unknown[]): readonly string[] {
  const keys = new Set<string>();
  const elements: unknown[] = [...list];
  while (elements.length > 0) {
    const item = elements.pop();
    if (Array.isArray(item)) elements.push(...(item as unknown[]));
    else if (typeof item !== 'object' || item === null) keys.add(elementKey(column, equalityKey(item)));
    if (keys.size > ELEMENTS_AT_MOST || elements.length > ELEMENTS_AT_MOST) return [longList(column)];
  }
  return [...keys];
}
