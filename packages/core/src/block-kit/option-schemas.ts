/** Tolerant option schemas, for real policies: flags and lists are often omitted or written as text. */
import { z } from 'zod';
import { meaningOnly } from '../policy/index.js';

/** A boolean; absent, null and empty text mean false. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false', '', 'TRUE', 'FALSE']), z.null()])
  .optional()
  .transform((value) => value === true || value === 'true' || value === 'TRUE');

/** A string; absent and null mean empty. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** A string for which the block type itself checks that it is one of these; editors offer them. */
export const listed = (...values: readonly string[]) => text.meta({ enum: [...values, '', null] });

/** A string that means something as one of these. Any other is kept, and is a finding. */
export const word = (...values: readonly string[]) => meaningOnly(listed(...values), values);

/** A list; absent and null mean empty. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);

/** A list of strings; absent and null mean empty. */
export const names = listOf(z.string());

/**
 * Anything, without effect: for members that editors write and that a `z.strictObject` would refuse. Policies that have
 * one get the finding `OPTION_IGNORED`.
 */
export const unused = z.unknown().optional().meta({ deprecated: true });

/** A sort direction, case-insensitive; absent, null and empty text mean none. */
export const direction = z
  .string()
  .nullish()
  .transform((value) => (value ?? '').toLowerCase())
  .pipe(z.enum(['asc', 'desc', '']))
  .transform((value) => (value === '' ? null : value));
