/** Compares the answer of a step with its expectations. */
import { isObject, valueAt } from '@blockwork/core/block';
import type { Expectation } from './script.js';

/** Reports a mismatch at `path`. */
export type Complain = (path: string, expected: unknown, got: unknown) => void;

const NEARLY = 1e-9;

/** Numbers may differ by 1e-9; `null` matches a missing value. */
export function sameValue(wanted: unknown, got: unknown): boolean {
  if (wanted === null || wanted === undefined) return got === null || got === undefined;
  if (typeof wanted === 'number') return typeof got === 'number' && Math.abs(wanted - got) <= NEARLY;
  if (Array.isArray(wanted)) {
    return Array.isArray(got) && got.length === wanted.length && wanted.every((each, at) => sameValue(each, got[at]));
  }
  if (!isObject(wanted)) return wanted === got;
  if (!isObject(got)) return false;
  return [...new Set([...Object.keys(wanted), ...Object.keys(got)])].every((key) => sameValue(wanted[key], got[key]));
}

/** Whether the record matches every `path: value`. */
export const fits = (record: unknown, patterns: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(patterns).every(([path, wanted]) => sameValue(wanted, valueAt(record, path)));

/** The rows of an answer; `undefined` if it has none. */
export function rowsOf(answer: unknown): unknown[] | undefined {
  const data = valueAt(answer, 'data');
  return Array.isArray(data) ? data : undefined;
}

export function checkAnswer(answer: unknown, expected: Expectation, complain: Complain): void {
  const rows = rowsOf(answer);
  const { count, rows: patterns = [], order = {}, has = {}, exists = [], absent = [], lengths = {} } = expected;
  if (count !== undefined && rows?.length !== count) complain('count', count, rows?.length);
  for (const [at, pattern] of patterns.entries()) {
    if (!rows?.some((row) => fits(row, pattern))) complain(`rows/${at}`, pattern, rows?.map(outline(pattern)));
  }
  for (const [path, values] of Object.entries(order)) {
    const got = rows?.map((row) => valueAt(row, path));
    if (!sameValue(values, got)) complain(`order/${path}`, values, got);
  }
  for (const [path, wanted] of Object.entries(has)) {
    const got = valueAt(answer, path);
    if (!sameValue(wanted, got)) complain(`has/${path}`, wanted, got);
  }
  for (const path of exists) {
    if (isNothing(valueAt(answer, path))) complain(`exists/${path}`, 'something', undefined);
  }
  for (const path of absent) {
    const got = valueAt(answer, path);
    if (!isNothing(got)) complain(`absent/${path}`, undefined, got);
  }
  for (const [path, length] of Object.entries(lengths)) {
    const got = valueAt(answer, path);
    if (!Array.isArray(got) || got.length !== length) {
      complain(`lengths/${path}`, length, Array.isArray(got) ? got.length : got);
    }
  }
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

/** The values of a row at the paths of a pattern. */
const outline =
  (pattern: Readonly<Record<string, unknown>>) =>
  (row: unknown): object =>
    Object.fromEntries(Object.keys(pattern).map((path) => [path, valueAt(row, path)]));
