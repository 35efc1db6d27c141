/** Parses a record with optional members: invalid members are dropped and reported, the others are kept. */
import type { z } from 'zod';
import { hintAt, meantBy } from '../../../options/index.js';
import type { Report } from './coerce.js';
import { pointerStep } from '../../model/pointer.js';
import { quote } from '../../model/quote.js';

/** Conversions applied to present members before validation, by key. */
export type Repairs = Readonly<Record<string, (value: unknown, member: string) => unknown>>;

/** @param schema a loose object whose known members are optional. */
export function salvage<T extends object>(
  schema: z.ZodType<T>,
  raw: Record<string, unknown>,
  member: string,
  report: Report,
  repairs: Repairs = {},
): T {
  const record = { ...raw };
  for (const [key, repair] of Object.entries(repairs)) {
    if (record[key] !== undefined) record[key] = repair(record[key], member + pointerStep(key));
  }
  const parsed = schema.safeParse(record);
  if (parsed.success) return parsed.data;
  const faulty = new Map(parsed.error.issues.map((issue) => [String(issue.path[0]), issue]));
  for (const [key, issue] of faulty) {
    const value = record[key];
    if (value === null) continue;
    const meant = issue.code === 'invalid_value' ? meantBy(textOr(value), issue.values.map(String)) : undefined;
    report(member + pointerStep(key), `is ${quote(value)}; left out${hintAt(meant) || advice(issue)}`, meant);
  }
  return schema.parse(Object.fromEntries(Object.entries(record).filter(([key]) => !faulty.has(key))));
}

const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');

const expectations: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  array: 'a list',
};

/** What to write instead, if the schema says it. */
function advice(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `. Write ${issue.values.map(String).join(' or ')}`;
  const expected = issue.code === 'invalid_type' && issue.path.length === 1 ? expectations[issue.expected] : undefined;
  return expected === undefined ? '' : `. Write ${expected}`;
}

/** Matches a closed list of words, ignoring case. */
export const oneOf =
  (words: readonly string[]) =>
  (value: unknown): unknown =>
    typeof value === 'string' ? (words.find((word) => word.toLowerCase() === value.toLowerCase()) ?? value) : value;

export const numberAsText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);
