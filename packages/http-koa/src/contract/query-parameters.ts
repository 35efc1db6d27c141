/** Query parameters that several routes share. */
import { z } from 'zod';

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number, 0 or more')
  .transform(Number);

export const pageIndex = wholeNumber.optional().describe('Counted from 0.');
export const pageSize = wholeNumber
  .refine((size) => size >= 1 && size <= 1000, 'must be from 1 to 1000')
  .optional()
  .describe('100 when absent.');

/** Without either parameter the list is complete. */
export const pageQuery = z.object({ pageIndex, pageSize });
export type PageQuery = z.output<typeof pageQuery>;

/** How long a caller would wait for the answer of another instance. */
export const timeout = wholeNumber
  .refine((ms) => ms <= 60_000, 'must be 60000 milliseconds at most')
  .optional()
  .describe('Milliseconds to wait for the answer of another instance; 0 when absent.');
