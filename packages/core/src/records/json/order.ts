/** A total order of records, so that pages are stable in every store. */
import { valueAt } from './path.js';

/** Records are sorted by the value at `path`; equal values keep the order of insertion, reversed for `desc`. */
export interface Order {
  readonly path: string;
  readonly direction: 'asc' | 'desc';
}

/**
 * Compares two values for `asc`: nothing (missing or null), false, true, numbers, texts by UTF-16 code
 * units, then lists and objects by their JSON text. Returns a negative number, 0 or a positive number.
 */
export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0;
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  switch (typeof a) {
    case 'number':
      return a - (b as number);
    case 'string':
      return a < (b as string) ? -1 : 1;
    case 'boolean':
      return a ? 1 : -1;
    case 'object':
      return a === null ? 0 : compareText(JSON.stringify(a), JSON.stringify(b));
    default:
      return 0;
  }
}

/** Compares two records by the value at `path`, `asc`. */
export const compareAt = (a: unknown, b: unknown, path: string): number =>
  compareValues(valueAt(a, path), valueAt(b, path));

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

function rankOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  switch (typeof value) {
    case 'boolean':
      return 1;
    case 'number':
      return 2;
    case 'string':
      return 3;
    default:
      return 4;
  }
}
