/** `dropdownBlockAddon`: a choice among other documents on each row of the grid that it is attached to. */
import { asJson, defineBlock, heading, tolerant, valueAt, type Json, type ReadContext } from '@blockwork/core/block';
import { z } from 'zod';
import { changedDocument } from '../actions/changed-document.js';
import { ownSources } from '../common/own-sources.js';
import { gridRow, sendFromGrid } from './grid-row.js';
import { needsNames } from './row-findings.js';

const { text } = tolerant;

const options = z.object({
  /** Path in a document to the name of a choice. */
  optionName: text,
  /** Path in a document to the value of a choice. */
  optionValue: text,
  /** Path in the row to the field that receives the value. */
  field: text,
});
type Options = z.infer<typeof options>;

const CHOICES_AT_MOST = 10_000;

export const dropdownBlockAddon = defineBlock({
  type: 'dropdownBlockAddon',
  title: 'Row choice',
  description:
    'A choice among other documents on each row of a grid. The grid sends the row along the output with the tag of the addon.',
  kind: 'addon',
  children: ['source'],
  parents: ['interfaceDocumentsSourceBlock'],
  pure: true,
  options,
  input: z.object({ documentId: z.string().min(1).max(200), dropdownDocumentId: z.string().min(1).max(200) }),
  check: (node, options) => needsNames(node, options, ['optionName', 'optionValue', 'field']),
  async read(ctx) {
    const { optionName, optionValue } = ctx.options;
    const sources = await ownSources(ctx);
    const documents = (await ctx.documents.rows({ sources }, { limit: CHOICES_AT_MOST })).map((row) => ({
      name: shown(valueAt(row, optionName)),
      optionValue: shown(valueAt(row, optionValue)),
      value: row.id,
    }));
    return { ...heading(ctx), ...ctx.options, uiMetaData: ctx.block.uiMetaData, documents };
  },
  async receive(ctx, { documentId, dropdownDocumentId }) {
    const row = await gridRow(ctx, documentId);
    const chosen = await choice(ctx, dropdownDocumentId);
    sendFromGrid(ctx, await changedDocument(ctx, row, ctx.options.field, chosen));
  },
});

async function choice(ctx: ReadContext<Options>, id: string): Promise<Json> {
  const sources = (await ownSources(ctx)).map((source) => ({
    ...source,
    where: { all: [{ path: 'id', op: 'eq' as const, value: id }, source.where] },
  }));
  const [row] = await ctx.documents.rows({ sources }, { limit: 1 });
  if (row !== undefined) return shown(valueAt(row, ctx.options.optionValue));
  const facts = { choice: JSON.stringify(id), field: ctx.options.field };
  return ctx.fail('CHOICE_UNKNOWN', {
    facts,
    details: [{ path: '/dropdownDocumentId', message: 'is not among the choices' }],
  });
}

const shown = (value: unknown): Json => (value === undefined ? null : asJson(value as Json));
