/** Query parameters that several routes share. */
import { z } from 'zod';
import { logSize } from './parameter.js';

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number, 0 or more')
  .transform(Number);

export const pageIndex = wholeNumber.optional().describe('From 0.');
export const pageSize = wholeNumber
  .refine((size) => size >= 1 && size <= 1000, 'must be from 1 to 1000')
  .optional()
  .describe('Default 100.');

/** If absent, the whole list is returned. */
export const pageQuery = z.object({ pageIndex, pageSize });
/** For lists that may grow without bound: always paged. */
export const boundedPageQuery = z.object({ pageIndex: pageIndex.describe('From 0. Default 0.'), pageSize });
export type PageQuery = z.output<typeof pageQuery>;

/** Of routes that answer with a proof bundle. */
export const bundleQuery = z.object({
  since: logSize.schema
    .transform(Number)
    .optional()
    .describe(
      'Number of entries of an earlier log, of which somebody kept the checkpoint: the bundle proves that its log continues that one.',
    ),
});

export const first = z.enum(['oldest', 'newest']).optional().describe('Sort order. Default `oldest`.');

/** An identity, normally a DID. */
export const identity = z.string().regex(/^\P{Cc}{1,500}$/u, 'must be 1 to 500 characters without control characters');

export const timeoutOf = (most: number) =>
  wholeNumber.refine((ms) => ms <= most, `must be ${most} milliseconds at most`).optional();

export const timeout = timeoutOf(60_000).describe(
  "Maximum time in milliseconds to wait for the other instance's answer; default 0.",
);
