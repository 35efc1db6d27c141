/** Parses a record with optional members: invalid members are dropped and reported, the others are kept. */
import type { z } from 'zod';
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
  const faulty = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
  for (const key of faulty) {
    if (record[key] !== null) report(member + pointerStep(key), `is ${quote(record[key])}; left out`);
  }
  return schema.parse(Object.fromEntries(Object.entries(record).filter(([key]) => !faulty.has(key))));
}

/** Matches a closed list of words, ignoring case. */
export const oneOf =
  (words: readonly string[]) =>
  (value: unknown): unknown =>
    typeof value === 'string' ? (words.find((word) => word.toLowerCase() === value.toLowerCase()) ?? value) : value;

export const numberAsText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);
