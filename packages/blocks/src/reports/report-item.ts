/** `reportItemBlock`: finds the documents of one link of a report's trust chain (reference engine, section 7.17). */
import {
  defineBlock,
  finding,
  tolerant,
  valueAt,
  type DocumentRecord,
  type Json,
  type JsonObject,
  type ReadContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { conditionOf, filterTypes, reportFilter, valueTypes } from './report-filter.js';
import { itemQuestion, itemsOf, type ItemAnswer } from './report.js';
import { itemDocument } from './report-parts.js';

const { flag, listOf, text } = tolerant;

const options = z.object({
  icon: text,
  iconType: text,
  title: text,
  description: text,
  /** Visible by default. */
  visible: z
    .union([z.boolean(), z.string(), z.null()])
    .optional()
    .transform((value) => value !== false && value !== 'false'),
  /** Include every document that meets the filters; otherwise only the first. */
  multiple: flag,
  filters: listOf(reportFilter),
  /** Values at paths of the documents found, for the filters of later and nested items. */
  variables: listOf(z.object({ name: text, value: text })),
  /** For the client: relates documents of the next item to the selected one. */
  dynamicFilters: listOf(z.json()),
});
type Options = z.infer<typeof options>;

export const reportItemBlock = defineBlock({
  type: 'reportItemBlock',
  title: 'Report item',
  description: 'Finds the documents of one link of a trust chain.',
  kind: 'addon',
  children: ['addon'],
  parents: ['reportBlock', 'reportItemBlock'],
  pure: true,
  options,
  check: (node, { filters }) =>
    filters.flatMap(({ type, typeValue }, at) => {
      const unknown = !filterTypes.includes(type) ? type : !valueTypes.includes(typeValue) ? typeValue : undefined;
      if (unknown === undefined) return [];
      const message = `Filter ${String(at)} of "${node.tag}" has the unknown value "${unknown}"; the item stays empty.`;
      return [
        finding(node, { path: `/filters/${String(at)}`, message, severity: unknown === '' ? 'warning' : 'error' }),
      ];
    }),
  async answer(ctx, question): Promise<ItemAnswer> {
    const { variables } = itemQuestion.parse(question);
    const { multiple, filters } = ctx.options;
    const documents = await ctx.documents.find(conditionOf(filters, variables), multiple ? {} : { limit: 1 });
    const nested = await itemsOf(ctx, { ...variables, ...variablesFrom(ctx.options, documents) });
    const item = await shown(ctx, documents);
    const hasItems = ctx.children.length > 0;
    return { item: { ...item, ...(hasItems && { documents: nested.items }) }, variables: nested.variables };
  },
});

/** A path without a value leaves its variable unchanged. */
function variablesFrom({ variables, multiple }: Options, documents: readonly DocumentRecord[]): Record<string, Json> {
  const values = (path: string): Json[] =>
    documents.map((document) => valueAt(document, path) as Json | undefined).filter((value) => value !== undefined);
  return Object.fromEntries(
    variables.flatMap(({ name, value: path }) => {
      const all = values(path);
      const [first] = all;
      return first === undefined ? [] : [[name, multiple ? all.flat() : first]];
    }),
  );
}

async function shown(ctx: ReadContext<Options>, documents: readonly DocumentRecord[]): Promise<JsonObject> {
  const { icon, iconType, title, description, visible, multiple, dynamicFilters } = ctx.options;
  const about = { type: 'VC', icon, iconType, title, description, visible, multiple, dynamicFilters };
  const notFoundDocuments = documents.length === 0;
  const items = await Promise.all(documents.map((document) => itemDocument(ctx, document)));
  if (multiple) return { ...about, notFoundDocuments, document: items };
  return { ...about, notFoundDocuments, document: null, ...items[0] };
}
