/** Options that mean something only as one of several words. */
import { z } from 'zod';
import { isObject } from '../../records/index.js';

const words = z.registry<{ readonly values: readonly string[] }>();

/** Any other word is read as it is, as the reference engine does, and is a finding. */
export function meaningOnly<Schema extends z.ZodType>(schema: Schema, values: readonly string[]): Schema {
  words.add(schema, { values });
  return schema;
}

/** The words of an option; `undefined` if it may be any text. */
export function wordsOf(schema: z.core.$ZodType): readonly string[] | undefined {
  let next: unknown = schema;
  while (isSchema(next)) {
    const own = words.get(next);
    if (own !== undefined) return own.values;
    const { innerType, in: written } = next._zod.def as { readonly innerType?: unknown; readonly in?: unknown };
    next = innerType ?? written;
  }
  return undefined;
}

const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value && isObject(value._zod);
