/** `documentsSourceAddon`: selects and orders the stored documents its parent shows (reference engine, section 4.3). */
import { z } from 'zod';
import { defineBlock, type DocumentRow, type ReadContext } from '../block-api/index.js';
import { tolerant } from '../block-kit/index.js';
import { hintAt, meantBy } from '../options/index.js';
import { finding } from '../policy/index.js';
import {
  equalTo,
  allOf,
  documentCollection as collection,
  nothing,
  type Condition,
  type Order,
} from '../records/index.js';
import { conditionsOf, narrowings } from './filters-addon.js';
import { orderOf, orderState } from './order-state.js';
import { sourceFilter, toCondition } from './source-filter.js';

/** Collections of the reference engine that this engine does not store. */
const unsupportedTypes = ['standard-registries', 'root-authorities', 'source'];

const options = z.strictObject({
  /** The collection. A source with any other value is empty and reported by a finding. */
  dataType: tolerant.listed(...collection.options, ...unsupportedTypes),
  schema: tolerant.text,
  onlyOwnDocuments: tolerant.flag,
  onlyOwnByGroupDocuments: tolerant.flag,
  onlyAssignDocuments: tolerant.flag,
  onlyAssignByGroupDocuments: tolerant.flag,
  /** Hide documents that have been replaced by a newer version. */
  hidePreviousVersions: tolerant.flag,
  filters: tolerant.listOf(sourceFilter),
  orderField: tolerant.text,
  orderDirection: tolerant.direction,
  /** Left by editors; published policies are written for an engine that ignores them. */
  createdOrderDirection: tolerant.unused,
  documentType: tolerant.unused,
  entityType: tolerant.unused,
  type: tolerant.unused,
  viewHistory: tolerant.unused,
});
type Options = z.infer<typeof options>;

export const documentsSourceAddon = defineBlock({
  type: 'documentsSourceAddon',
  title: 'Documents',
  description: 'Supplies its parent with stored documents that meet its conditions.',
  kind: 'source',
  children: ['filter', 'addon'],
  pure: true,
  viewState: true,
  options,
  input: orderState,
  references: ({ schema }) => [{ to: 'schema', name: schema, path: '/schema', severity: 'warning' }],

  check(node, { dataType }) {
    if (collection.safeParse(dataType).success) return [];
    const isUnsupported = unsupportedTypes.includes(dataType);
    const meant = isUnsupported ? undefined : meantBy(dataType, collection.options);
    const what = isUnsupported
      ? `This engine keeps no "${dataType}"`
      : `There is no data type "${dataType}"${hintAt(meant)}`;
    const message = `${what}; the source "${node.tag}" is always empty.`;
    return [finding(node, { severity: isUnsupported ? 'warning' : 'error', message, path: '/dataType', meant })];
  },

  async select(ctx) {
    const where = allOf(...ownConditions(ctx), ...(await conditionsOf(narrowings(ctx.children))));
    const order = await orderFor(ctx);
    return { sources: [{ tag: ctx.block.tag, where, ...(order && { order }) }] };
  },

  supplies: allDocuments,

  enriches: ({ children }) => children.some(({ definition }) => definition?.kind === 'addon'),

  /** The source's own rows, enriched by its addons. */
  async enrich(ctx, rows) {
    const addons = ctx.children.filter(({ kind }) => kind === 'addon');
    if (addons.length === 0) return [...rows];
    const { tag } = ctx.block;
    let own: readonly DocumentRow[] = rows.filter(({ __sourceTag__ }) => __sourceTag__ === tag);
    for (const addon of addons) own = await addon.enrich(own);
    const shown = new Map(own.map((row) => [row.id, row]));
    return rows.map((row) => (row.__sourceTag__ === tag ? (shown.get(row.id) ?? row) : row));
  },

  /** Sets the user's sort order for these documents, overriding the policy's. */
  async receive(ctx, input) {
    await ctx.state.set(input);
  },
});

async function orderFor({
  state,
  options: { orderField, orderDirection },
}: ReadContext<Options>): Promise<Order | undefined> {
  return orderOf(await state.get(orderState)) ?? orderOf({ orderField, orderDirection });
}

/** Group conditions match nothing for a user without a group. */
function ownConditions({ options, user, query }: ReadContext<Options>): Condition[] {
  const conditions: Condition[] = [];
  const demand = (path: string, value: string | null): void => {
    conditions.push(value === null ? nothing : equalTo(path, value));
  };
  if (options.onlyOwnDocuments) demand('owner', user.did);
  if (options.onlyOwnByGroupDocuments) demand('group', user.group);
  if (options.onlyAssignDocuments) demand('assignedTo', user.did);
  if (options.onlyAssignByGroupDocuments) demand('assignedToGroup', user.group);
  return [allDocuments(options, query), ...conditions];
}

/** Independent of the user. */
function allDocuments(options: Options, query: ReadContext['query'] = {}): Condition {
  const { dataType, schema } = options;
  if (!collection.safeParse(dataType).success) return nothing;
  return allOf(
    equalTo('dataType', dataType),
    ...(options.hidePreviousVersions ? [{ path: 'edited', op: 'ne', value: true } as const] : []),
    ...(schema === '' ? [] : [equalTo('schema', schema)]),
    ...options.filters.map((filter) => toCondition(filter, query)),
  );
}
