/** Schemas for options as real policies write them: flags and lists are often left out, or are text. */
import { z } from 'zod';

/** A yes or no; absent, null and empty text mean no. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false', '', 'TRUE', 'FALSE']), z.null()])
  .optional()
  .transform((value) => value === true || value === 'true' || value === 'TRUE');

/** A text; absent and null mean empty. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** A list; absent and null mean empty. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);

/** A list of texts; absent and null mean empty. */
export const names = listOf(z.string());

/** A direction of order, in either case; absent, null and empty text mean none. */
export const direction = z
  .string()
  .nullish()
  .transform((value) => (value ?? '').toLowerCase())
  .pipe(z.enum(['asc', 'desc', '']))
  .transform((value) => (value === '' ? null : value));
