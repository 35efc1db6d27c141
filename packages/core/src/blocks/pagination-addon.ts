/** `paginationAddon`: cuts the grid that it is attached to into pages, and remembers for each user which one they are on. */
import { z } from 'zod';
import type { PaginationState } from '../records/index.js';
import { toDetails } from '../problem-details.js';
import { FILTER_CHANGED } from '../block-api/index.js';
import type { Block, Page, ReadContext, RunContext } from '../block-api/index.js';
import { filtersOfGrid, queryValueFor } from './filter-conditions.js';

export interface PaginationLimits {
  /** The largest page that a caller may ask for. */
  readonly itemsPerPage: number;
}

const firstPage: Page = { page: 0, itemsPerPage: 10 };
const pageState = z.object({ page: z.number().int().min(0), itemsPerPage: z.number().int().min(1) });

/** An integer, or a text that holds nothing but one: forms of older clients send all numbers as text. */
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

export class PaginationAddon implements Block<unknown, Page> {
  readonly about = {
    type: 'paginationAddon',
    title: 'Pagination',
    description: 'Adds pages to the grid that it is attached to.',
    kind: 'paging',
    children: 'none',
    parents: ['interfaceDocumentsSourceBlock'],
    inputs: [FILTER_CHANGED],
  } as const;
  readonly pure = true;
  readonly options = z.object({});
  readonly input: z.ZodType<Page>;
  readonly #query: z.ZodType<{ page?: number | undefined; itemsPerPage?: number | undefined }>;

  constructor(limits: PaginationLimits = { itemsPerPage: 1000 }) {
    const page = integer.pipe(z.number().min(0, 'must be 0 or more').max(1e12, 'is too large'));
    const itemsPerPage = integer.pipe(
      z
        .number()
        .min(1, 'must be 1 or more')
        .max(limits.itemsPerPage, `must be ${String(limits.itemsPerPage)} or less`),
    );
    this.input = z
      .strictObject({ size: z.unknown().optional(), page, itemsPerPage })
      .transform(({ page, itemsPerPage }) => ({ page, itemsPerPage }));
    this.#query = z.object({ page: page.optional(), itemsPerPage: itemsPerPage.optional() });
  }

  async read(ctx: ReadContext): Promise<{ [Key in keyof PaginationState]: number }> {
    const selection = await ctx.parent?.select();
    if (selection === undefined) {
      return ctx.fail('BLOCK_MISCONFIGURED', {
        facts: { reason: 'it is not attached to a block that shows documents' },
      });
    }
    return { size: await ctx.documents.count(selection), ...(await this.page(ctx)) };
  }

  async receive(ctx: RunContext, { page, itemsPerPage }: Page): Promise<void> {
    await ctx.state.set({ page, itemsPerPage });
  }

  readonly on = {
    [FILTER_CHANGED]: async (ctx: RunContext): Promise<void> => {
      const stored = await ctx.state.get(pageState);
      if (stored !== undefined) await ctx.state.set({ ...stored, page: 0 });
    },
  };

  /** The user's page; what the query says counts for this answer only. A filter in the query begins at its first page. */
  async page(ctx: ReadContext): Promise<Page> {
    const { page, itemsPerPage } = (await ctx.state.get(pageState)) ?? firstPage;
    const asked = this.#query.safeParse(ctx.query);
    if (!asked.success) {
      const details = toDetails(asked.error).map(({ path, message }) => ({ path: path.slice(1), message }));
      const reason = `The query cannot be used: ${details.map((detail) => `${detail.path} ${detail.message}`).join('; ')}.`;
      return ctx.fail('QUERY_INVALID', { facts: { reason }, details });
    }
    return {
      itemsPerPage: asked.data.itemsPerPage ?? itemsPerPage,
      page: asked.data.page ?? (filtersInQuery(ctx) ? firstPage.page : page),
    };
  }
}

const filtersInQuery = ({ block, query }: ReadContext): boolean =>
  Boolean(query.filterByUUID) ||
  (block.parent !== null && filtersOfGrid(block.parent).some((filter) => queryValueFor(query, filter) !== undefined));
