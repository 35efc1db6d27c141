/** `paginationAddon`: splits its grid into pages and remembers each user's current page. */
import { z } from 'zod';
import { defineBlock, FILTER_CHANGED } from '../block-api/index.js';
import type { BlockType, Page, ReadContext } from '../block-api/index.js';
import { toDetails } from '../problem-details.js';
import { filtersOfGrid, queryValueFor } from './filters-addon.js';

export interface PaginationLimits {
  /** The largest page a caller may request. */
  readonly itemsPerPage: number;
}

const firstPage: Page = { page: 0, itemsPerPage: 10 };
const pageState = z.object({ page: z.number().int().min(0), itemsPerPage: z.number().int().min(1) });

/** An integer, or a string holding one: forms of older clients send all numbers as text. */
const integer = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^-?\d{1,16}$/)
        .transform(Number),
    ],
    { error: 'must be an integer' },
  )
  .pipe(z.int({ error: 'must be an integer' }));

const wholeNumber = (minimum: number): { type: string; minimum: number } => ({ type: 'integer', minimum });

export function paginationAddon({ itemsPerPage: atMost }: PaginationLimits = { itemsPerPage: 1000 }): BlockType {
  const page = integer.pipe(z.number().min(0, 'must be 0 or more').max(1e12, 'is too large'));
  const itemsPerPage = integer.pipe(
    z
      .number()
      .min(1, 'must be 1 or more')
      .max(atMost, `must be ${String(atMost)} or less`),
  );
  const query = z.object({ page: page.optional(), itemsPerPage: itemsPerPage.optional() });

  return defineBlock({
    type: 'paginationAddon',
    title: 'Pagination',
    description: 'Adds pages to the grid that it is attached to.',
    kind: 'paging',
    parents: ['interfaceDocumentsSourceBlock'],
    inputs: [FILTER_CHANGED],
    pure: true,
    viewState: true,
    /** `size` is computed; a value sent by the client is ignored. */
    input: z
      .strictObject({ size: z.unknown().optional(), page, itemsPerPage })
      .transform(({ size: _size, ...chosen }) => chosen),

    shapes: () => ({
      takes: {
        type: 'object',
        properties: { page: wholeNumber(0), itemsPerPage: { ...wholeNumber(1), maximum: atMost } },
        required: ['page', 'itemsPerPage'],
      },
      shows: {
        type: 'object',
        properties: { size: wholeNumber(0), itemsPerPage: wholeNumber(1), page: wholeNumber(0) },
        required: ['size', 'itemsPerPage', 'page'],
      },
    }),

    async read(ctx) {
      const selection = await ctx.parent?.select();
      if (selection === undefined) {
        return ctx.fail('BLOCK_MISCONFIGURED', {
          facts: { reason: 'it is not attached to a block that shows documents' },
        });
      }
      return { size: await ctx.documents.count(selection), ...(await currentPage(ctx, query)) };
    },

    async receive(ctx, chosen) {
      await ctx.state.set(chosen);
    },

    on: {
      async [FILTER_CHANGED](ctx) {
        const stored = await ctx.state.get(pageState);
        if (stored !== undefined) await ctx.state.set({ ...stored, page: 0 });
      },
    },

    page: (ctx) => currentPage(ctx, query),
  });
}

/** The user's page. Query parameters apply to this answer only; a filter in the query resets to the first page. */
async function currentPage(
  ctx: ReadContext,
  query: z.ZodType<{ page?: number | undefined; itemsPerPage?: number | undefined }>,
): Promise<{ page: number; itemsPerPage: number }> {
  const { page, itemsPerPage } = (await ctx.state.get(pageState)) ?? firstPage;
  const parsed = query.safeParse(ctx.query);
  if (!parsed.success) {
    const details = toDetails(parsed.error).map(({ path, message }) => ({ path: path.slice(1), message }));
    const reason = `The query cannot be used: ${details.map((detail) => `${detail.path} ${detail.message}`).join('; ')}.`;
    return ctx.fail('QUERY_INVALID', { facts: { reason }, details });
  }
  return {
    itemsPerPage: parsed.data.itemsPerPage ?? itemsPerPage,
    page: parsed.data.page ?? (filtersInQuery(ctx) ? firstPage.page : page),
  };
}

const filtersInQuery = ({ block, query }: ReadContext): boolean =>
  Boolean(query.filterByUUID) ||
  (block.parent !== null && filtersOfGrid(block.parent).some((filter) => queryValueFor(query, filter) !== undefined));
