/**
 * `interfaceDocumentsSourceBlock`, the grid: pages through the documents of its sources (reference engine, section
 * 4.2).
 */
import { z } from 'zod';
import {
  type BlockHandle,
  defineBlock,
  type DocumentRow,
  narrowed,
  type Page,
  type ReadContext,
  ROW_ACTION,
  type Selection,
} from '../block-api/index.js';
import { documentRow, gridColumns, heading } from '../block-kit/index.js';
import { hintAt, meantBy } from '../options/index.js';
import { type BlockNode, finding, type Finding, type PolicyTree } from '../policy/index.js';
import { allOf, asJson, equalTo, isObject, type JsonObject, type Order } from '../records/index.js';
import { demandsOf, filtersOfChild, narrowings } from './filters-addon.js';
import { orderOf, orderState, type OrderState } from './order-state.js';
import { permitted } from './permitted.js';

/** The result of a row addon, to be sent along the output named after the addon's tag. */
const rowAction = z.object({ addon: z.string(), data: z.json() });

export const interfaceDocumentsSourceBlock = defineBlock({
  type: 'interfaceDocumentsSourceBlock',
  title: 'Documents grid',
  description: 'Shows stored documents in a table.',
  kind: 'interface',
  children: ['source', 'filter', 'paging', 'history', 'interface', 'addon'],
  pure: true,
  viewState: true,
  input: orderState,
  inputs: [ROW_ACTION],
  outputs: (_options, childTags) => childTags,

  check: (node, _options, policy) => [
    ...sourceFindings(node),
    ...columnFindings(node, policy),
    ...groupFindings(node),
    ...typeFindings(node),
  ],

  shapes: (_options, { block }) => ({ shows: gridShape(block) }),

  select: async (ctx) => selectionOf(ctx, await permitted(ctx.children)),

  /** Computed members override the policy's, so that `uiMetaData` cannot hide the data. */
  async read(ctx) {
    const open = await permitted(ctx.children);
    const selection = await selectionOf(ctx, open);
    const paging = await pageOf(open);
    const range = paging === undefined ? {} : { offset: paging.page * paging.itemsPerPage, limit: paging.itemsPerPage };
    const data = open.some(({ enriches }) => enriches)
      ? await enrichedRows(ctx, open, await ctx.documents.rows(selection, range))
      : await enriched(open, await ctx.shownRows(selection, range));
    return {
      ...ctx.block.uiMetaData,
      ...(await chosenOrder(ctx)),
      ...heading(ctx),
      ...(paging === undefined ? {} : pageFacts(paging, await ctx.documents.count(selection))),
      data: data.map((row) => asJson(row)),
      blocks: (await permitted(filtersOf(ctx, open))).map(listed),
      commonAddons: open.filter(({ kind }) => listedKinds.includes(kind)).map(listed),
      viewHistory: open.some(({ kind }) => kind === 'history'),
    };
  },

  /** Sets the user's sort order; it applies if the policy enables sorting. */
  async receive(ctx, input) {
    await ctx.state.set(input);
  },

  on: {
    /** Links start at the grid, as existing policies are written that way: the addon only names the output. */
    [ROW_ACTION](ctx, event) {
      const { addon, data } = rowAction.parse(event.data);
      ctx.emit(addon, data);
    },
  },
});

const listedKinds: readonly string[] = ['source', 'paging', 'history', 'addon'];

/** Children of unknown type may be sources. */
function sourceFindings(node: BlockNode): Finding[] {
  if (node.children.some(({ definition }) => definition === null || definition.kind === 'source')) return [];
  const message = `The grid "${node.tag}" has no source, so it is always empty. Give it a documentsSourceAddon.`;
  const suggestions = [{ kind: 'block', at: '', blockType: 'documentsSourceAddon' }] as const;
  return [finding(node, { severity: 'warning', message, path: '/children', suggestions })];
}

/** A tag that is no source means all rows, as published policies rely on that: only a misspelt one is reported. */
function groupFindings(node: BlockNode): Finding[] {
  const { fields } = node.uiMetaData;
  const tags = node.children.map(({ tag }) => tag);
  return (Array.isArray(fields) ? fields : []).flatMap((column: unknown, index) => {
    const bindGroup = isObject(column) ? column['bindGroup'] : undefined;
    if (typeof bindGroup !== 'string' || bindGroup === '' || tags.includes(bindGroup)) return [];
    const meant = meantBy(bindGroup, tags);
    if (meant === undefined) return [];
    const message = `Column ${String(index)} of "${node.tag}" is for the rows of "${bindGroup}", which is no source of the grid, so that all rows have it${hintAt(meant)}.`;
    const path = `/uiMetaData/fields/${String(index)}/bindGroup`;
    return [finding(node, { severity: 'warning', code: 'REFERENCE_UNKNOWN', message, path, meant })];
  });
}

const columnFindings = (node: BlockNode, { byTag }: PolicyTree): Finding[] =>
  gridColumns(node).flatMap(({ index, bindBlock }) => {
    if (bindBlock === '' || byTag.has(bindBlock)) return [];
    const meant = meantBy(bindBlock, byTag);
    const message = `Column ${String(index)} of "${node.tag}" opens the block "${bindBlock}", which does not exist${hintAt(meant)}.`;
    const path = `/uiMetaData/fields/${String(index)}/bindBlock`;
    return finding(node, { severity: 'warning', code: 'REFERENCE_UNKNOWN', message, path, meant });
  });

/** Of the columns that clients show: the others they show as text, or not at all. */
const columnTypes = [
  'text',
  'array',
  'button',
  'block',
  'issuer',
  'serials',
  'hash',
  'link',
  'group',
  'status',
  'date',
];

function typeFindings(node: BlockNode): Finding[] {
  const { fields } = node.uiMetaData;
  return (Array.isArray(fields) ? fields : []).flatMap((column, index) => {
    const type = isObject(column) ? column['type'] : undefined;
    if (typeof type !== 'string' || type === '' || columnTypes.includes(type)) return [];
    const meant = meantBy(type, columnTypes);
    const message = `Column ${String(index)} of "${node.tag}" has the type "${type}", which clients do not know${hintAt(meant)}.`;
    return [finding(node, { severity: 'warning', message, path: `/uiMetaData/fields/${String(index)}/type`, meant })];
  });
}

/** The open sources, narrowed by the grid's own open filters, in the user's order. */
async function selectionOf(ctx: ReadContext, open: readonly BlockHandle[]): Promise<Selection> {
  const sources: Selection['sources'][number][] = [];
  for (const child of open) {
    if (child.kind === 'source') sources.push(...((await child.select())?.sources ?? []));
  }
  const conditions = await demandsOf(narrowings(open));
  if (ctx.query.filterByUUID) conditions.push(equalTo('document.id', ctx.query.filterByUUID));
  const order = await orderFor(ctx);
  return { ...narrowed({ sources }, allOf(...conditions)), ...(order && { order }) };
}

async function enrichedRows(
  ctx: ReadContext,
  children: readonly BlockHandle[],
  stored: readonly DocumentRow[],
): Promise<readonly DocumentRow[]> {
  const rowsById = new Map(stored.map((row) => [row.id, row]));
  return (await enriched(children, stored)).map((row) => documentRow(ctx, row, rowsById.get(row.id)));
}

async function enriched(
  children: readonly BlockHandle[],
  rows: readonly DocumentRow[],
): Promise<readonly DocumentRow[]> {
  let result = rows;
  for (const child of children) if (child.kind !== 'unknown') result = await child.enrich(result);
  return result;
}

/** The user's sort order, if the policy enables sorting. */
async function chosenOrder(ctx: ReadContext): Promise<OrderState | undefined> {
  return ctx.block.uiMetaData.enableSorting === true ? ctx.state.get(orderState) : undefined;
}

/** The query's order, for this answer only; otherwise the user's, if the policy enables sorting. */
async function orderFor(ctx: ReadContext): Promise<Order | undefined> {
  const { sortField, sortDirection } = ctx.query;
  if (sortField === undefined && sortDirection === undefined) return orderOf(await chosenOrder(ctx));
  const wanted = orderState.safeParse({ orderField: sortField, orderDirection: sortDirection });
  if (wanted.success) return orderOf(wanted.data);
  return ctx.fail('QUERY_INVALID', {
    facts: { reason: 'The query cannot be used: sortField must be a path, sortDirection "asc" or "desc".' },
    details: wanted.error.issues.map(({ path: [field] }) =>
      field === 'orderField'
        ? { path: 'sortField', message: 'must be a path of 200 characters or less' }
        : { path: 'sortDirection', message: 'must be "asc" or "desc"' },
    ),
  });
}

/** The first paging addon open to the user decides; without one, all documents are on one page. */
const pageOf = async (open: readonly BlockHandle[]): Promise<Page | undefined> =>
  open.find(({ kind }) => kind === 'paging')?.page();

const pageFacts = ({ page, itemsPerPage }: Page, totalCount: number): JsonObject => ({
  page,
  pageSize: itemsPerPage,
  totalCount,
  hasPreviousPage: page > 0,
  hasNextPage: (page + 1) * itemsPerPage < totalCount,
});

/** The grid's own filters and those of its open sources: clients show all of them above the table. */
const filtersOf = (ctx: ReadContext, open: readonly BlockHandle[]): BlockHandle[] =>
  open.flatMap(({ block }) => filtersOfChild(block)).map((filter) => ctx.blockHandle(filter));

const listed = ({ block: { uuid, uiMetaData, blockType } }: BlockHandle): JsonObject => ({
  id: uuid,
  uiMetaData,
  blockType,
});

function gridShape(block: BlockNode): JsonObject {
  const whole = { type: 'integer', minimum: 0 };
  return {
    type: 'object',
    properties: {
      data: { type: 'array', items: rowShape(block) },
      page: whole,
      pageSize: whole,
      totalCount: whole,
      hasPreviousPage: { type: 'boolean' },
      hasNextPage: { type: 'boolean' },
    },
    required: ['data'],
  };
}

function rowShape(block: BlockNode): JsonObject {
  const subjects = subjectsOf(block);
  return {
    type: 'object',
    properties: {
      id: { type: 'string' },
      owner: { type: 'string' },
      createDate: { type: 'string', format: 'date-time' },
      option: { type: 'object', properties: { status: { type: 'string' } } },
      document: {
        type: 'object',
        ...(subjects === null ? {} : { properties: { credentialSubject: { type: 'array', items: subjects } } }),
      },
    },
    required: ['id'],
  };
}

/** `null` if the sources do not share one schema, or if an addon may omit fields. */
function subjectsOf({ children }: BlockNode): JsonObject | null {
  const sources = children.filter(({ definition }) => definition === null || definition.kind === 'source');
  const schemas = new Set(sources.map(schemaOfSource));
  if (schemas.size === 0 || schemas.has('')) return null;
  const [first, ...others] = [...schemas].map((iri) => ({ $ref: iri }));
  return first === undefined || others.length === 0 ? (first ?? null) : { anyOf: [first, ...others] };
}

/** Empty if it selects by no schema, or selects documents other than credentials. */
function schemaOfSource({ options, children }: BlockNode): string {
  const changesRows = children.some(({ definition }) => definition === null || definition.kind === 'addon');
  if (changesRows || !isObject(options) || options['dataType'] !== 'vc-documents') return '';
  return typeof options['schema'] === 'string' ? options['schema'] : '';
}
