/** The query of lists that come in pages. */
import { z } from 'zod';

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number, 0 or more')
  .transform(Number);

/** Without either parameter the list is complete; `pageIndex` counts from 0, `pageSize` is 100 when absent. */
export const pageQuery = z.object({
  pageIndex: wholeNumber.optional(),
  pageSize: wholeNumber.refine((size) => size >= 1 && size <= 1000, 'must be from 1 to 1000').optional(),
});
