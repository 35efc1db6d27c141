/** Reads a record whose members are all optional: one that does not fit is left out, with a complaint, and the rest is kept. */
import type { z } from 'zod';
import type { Complain } from './coerce.js';
import { pointerStep } from '../model/pointer.js';
import { quote } from '../model/quote.js';

/** How members are understood beyond what their schema takes; called only for members that are there. */
export type Mend = Readonly<Record<string, (value: unknown, member: string) => unknown>>;

/** @param schema a loose object whose known members are optional. */
export function tolerant<T extends object>(
  schema: z.ZodType<T>,
  raw: Record<string, unknown>,
  member: string,
  complain: Complain,
  mend: Mend = {},
): T {
  const record = { ...raw };
  for (const [key, understand] of Object.entries(mend)) {
    if (record[key] !== undefined) record[key] = understand(record[key], member + pointerStep(key));
  }
  const parsed = schema.safeParse(record);
  if (parsed.success) return parsed.data;
  const faulty = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
  for (const key of faulty) {
    if (record[key] !== null) complain(member + pointerStep(key), `is ${quote(record[key])}; left out`);
  }
  return schema.parse(Object.fromEntries(Object.entries(record).filter(([key]) => !faulty.has(key))));
}

/** A word of a closed list, however its letters are cased. */
export const oneOf =
  (words: readonly string[]) =>
  (value: unknown): unknown =>
    typeof value === 'string' ? (words.find((word) => word.toLowerCase() === value.toLowerCase()) ?? value) : value;

export const numberAsText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);
