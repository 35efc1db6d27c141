/** `filtersAddon`: lets a user filter a grid's documents by a value (reference engine, section 4.4). */
import { z } from 'zod';
import {
  type BlockHandle,
  defineBlock,
  type DocumentRow,
  FILTER_CHANGED,
  narrowed,
  type ReadContext,
  type Selection,
} from '../block-api/index.js';
import { heading, tolerant } from '../block-kit/index.js';
import type { BlockNode } from '../policy/index.js';
import { type Condition, everything, type JsonObject, nothing, valueAt } from '../records/index.js';
import { permitted } from './permitted.js';
import { eitherForm } from './source-filter.js';

const value = z.union([z.string().max(2000), z.number(), z.boolean()]);
type Value = z.infer<typeof value>;
const anyValue = { type: ['string', 'number', 'boolean'] };

const options = z.object({
  type: z.literal('dropdown').catch('dropdown'),
  /** Path in the grid's documents to compare with the chosen value. */
  field: tolerant.text,
  /** Paths in the documents of this block's own sources: an option's label and its value. */
  optionName: tolerant.text,
  optionValue: tolerant.text,
  /** Whether the choice may be empty. Otherwise the first option applies until the user chooses. */
  canBeEmpty: tolerant.flag,
});
type Options = z.infer<typeof options>;

const filterState = z.object({ value: value.nullable() });

export const filtersAddon = defineBlock({
  type: 'filtersAddon',
  title: 'Filter',
  description: 'Narrows the grid around it to a value that the user chooses from a list.',
  kind: 'filter',
  children: ['source'],
  parents: ['interfaceDocumentsSourceBlock', 'documentsSourceAddon'],
  pure: true,
  viewState: true,
  options,
  input: z.object({ filterValue: value.nullish() }),

  shapes: () => ({
    shows: {
      type: 'object',
      properties: {
        canBeEmpty: { type: 'boolean' },
        data: { type: 'array', items: { type: 'object', properties: { name: anyValue, value: anyValue } } },
        filterValue: { type: [...anyValue.type, 'null'] },
      },
      required: ['data', 'filterValue'],
    },
  }),

  async read(ctx) {
    const { type, canBeEmpty, optionName, optionValue } = ctx.options;
    const data = optionsIn(await ctx.documents.rows(await ownDocuments(ctx)), ctx.options);
    return {
      ...heading(ctx),
      type,
      uiMetaData: ctx.block.uiMetaData,
      canBeEmpty,
      data,
      optionName,
      optionValue,
      filterValue: await chosen(ctx),
    };
  },

  async narrow(ctx) {
    const asked = queryValueFor(ctx.query, ctx.block);
    const wanted = asked === undefined || asked === '' ? await chosen(ctx, asked) : asked;
    if (wanted !== null) return eitherForm(ctx.options.field, wanted);
    return ctx.options.canBeEmpty ? everything : nothing;
  },

  async receive(ctx, { filterValue = null }) {
    const wanted = filterValue === '' && ctx.options.canBeEmpty ? null : filterValue;
    const isValid = wanted === null ? ctx.options.canBeEmpty : await isOption(ctx, wanted);
    if (!isValid) {
      ctx.fail('CHOICE_UNKNOWN', {
        facts: { field: 'filterValue', choice: JSON.stringify(filterValue).slice(0, 100) },
        details: [{ path: '/filterValue', message: 'filter value is unknown' }],
      });
    }
    const before = (await ctx.state.get(filterState))?.value ?? null;
    if (before === wanted) return;
    await ctx.state.set({ value: wanted });
    for (const paging of pagingAround(ctx.block)) ctx.raise(paging, FILTER_CHANGED);
  },
});

/**
 * The value in force: the user's choice, or the first option if one is required. An empty `asked` clears the choice.
 */
async function chosen(ctx: ReadContext<Options>, asked?: ''): Promise<Value | null> {
  const stored = asked === undefined ? ((await ctx.state.get(filterState))?.value ?? null) : null;
  if (stored !== null || ctx.options.canBeEmpty) return stored;
  const [first] = await ctx.documents.rows(withOption(await ownDocuments(ctx), ctx.options), { limit: 1 });
  return first === undefined ? null : valueOf(first, ctx.options.optionValue);
}

async function ownDocuments(ctx: ReadContext<Options>): Promise<Selection> {
  const open = await permitted(ctx.children.filter((child) => child.kind === 'source'));
  const sources = await Promise.all(open.map((child) => child.select()));
  return { sources: sources.flatMap((selection) => selection?.sources ?? []) };
}

/** The available options: each value once, with its first label. */
function optionsIn(rows: readonly DocumentRow[], { optionName, optionValue }: Options): JsonObject[] {
  const byValue = new Map<string, JsonObject>();
  for (const row of rows) {
    const option = valueOf(row, optionValue);
    if (option === null || byValue.has(String(option))) continue;
    byValue.set(String(option), { name: valueOf(row, optionName) ?? option, value: option });
  }
  return [...byValue.values()];
}

async function isOption(ctx: ReadContext<Options>, wanted: Value): Promise<boolean> {
  const own = await ownDocuments(ctx);
  return (await ctx.documents.count(narrowed(own, eitherForm(ctx.options.optionValue, wanted)))) > 0;
}

const withOption = (selection: Selection, { optionValue }: Options): Selection =>
  narrowed(selection, { path: optionValue, op: 'ne', value: null });

function valueOf(row: DocumentRow, path: string): Value | null {
  const parsed = value.safeParse(valueAt(row, path));
  return parsed.success ? parsed.data : null;
}

/** The paging addons of the grid that this filter narrows, directly or through a source. */
function pagingAround(filter: BlockNode): BlockNode[] {
  for (let node = filter.parent; node !== null && node.definition?.kind !== 'container'; node = node.parent) {
    const paging = node.children.filter((child) => child.definition?.kind === 'paging');
    if (paging.length > 0) return paging;
  }
  return [];
}

/** The filter blocks in a list. */
export const narrowings = (neighbours: readonly BlockHandle[]): BlockHandle[] =>
  neighbours.filter((neighbour) => neighbour.kind === 'filter');

/** The conditions of filters open to the user; a filter that is not open imposes none. */
export const conditionsOf = async (filters: readonly BlockHandle[]): Promise<Condition[]> =>
  demandsOf(await permitted(filters));

/** The conditions of filters already known to be open to the user. */
export async function demandsOf(open: readonly BlockHandle[]): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const filter of open) {
    const condition = await filter.narrow();
    if (condition !== undefined) conditions.push(condition);
  }
  return conditions;
}

/** A grid child's filters: itself, or those of a source. */
export const filtersOfChild = (child: BlockNode): BlockNode[] => {
  if (isFilter(child)) return [child];
  return child.definition?.kind === 'source' ? child.children.filter(isFilter) : [];
};

/** All filters that narrow a grid: its own and those of its sources. */
export const filtersOfGrid = (grid: BlockNode): BlockNode[] => grid.children.flatMap(filtersOfChild);

/** The query's value for a filter, by tag or uuid. */
export function queryValueFor(query: Readonly<Record<string, string>>, filter: BlockNode): string | undefined {
  if (Object.hasOwn(query, filter.tag)) return query[filter.tag];
  return Object.hasOwn(query, filter.uuid) ? query[filter.uuid] : undefined;
}

const isFilter = ({ definition }: BlockNode): boolean => definition?.kind === 'filter';
