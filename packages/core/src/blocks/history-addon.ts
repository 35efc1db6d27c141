/**
 * `historyAddon`: adds each document's history to a grid, latest first. Entries have the members expected by both
 * generations of clients (reference, sections 4.2 and 4.3).
 */
import { z } from 'zod';
import { defineBlock, type DocumentRow, type ReadContext } from '../block-api/index.js';
import { valueAt, type DocumentRecord, type Json } from '../records/index.js';

const pathOr = (path: string): z.ZodType<string> =>
  z
    .string()
    .nullish()
    .transform((value) => (value === undefined || value === null || value === '' ? path : value));

const options = z.object({
  /** Paths in the past document: the label of the step, and its comment. */
  timelineLabelPath: pathOr('option.status'),
  timelineDescriptionPath: pathOr('option.comment'),
});
type Options = z.infer<typeof options>;

export const historyAddon = defineBlock({
  type: 'historyAddon',
  title: 'History',
  description: 'Shows for each document of the grid which states it went through.',
  kind: 'history',
  parents: ['interfaceDocumentsSourceBlock'],
  pure: true,
  options,
  enrich: (ctx, rows) => Promise.all(rows.map(async (row) => ({ ...row, history: await timeline(ctx, row) }))),
});

/** Maximum number of previous versions of a document in a timeline. */
const VERSIONS_AT_MOST = 50;

/** Includes the states of previous versions if the document replaces another. */
async function timeline(ctx: ReadContext<Options>, row: DocumentRow): Promise<Json[]> {
  const { timelineLabelPath, timelineDescriptionPath } = ctx.options;
  const entries: Json[] = [];
  let version: DocumentRecord | undefined = row;
  for (let count = 0; version !== undefined && count < VERSIONS_AT_MOST; count += 1) {
    const document: DocumentRecord = version;
    const states = await ctx.documents.history(document);
    entries.push(
      ...states.reverse().map(({ option, comment, created }) => {
        const then = { ...document, option, comment: comment ?? null };
        return {
          labelValue: shown(valueAt(then, timelineLabelPath)),
          comment: shown(valueAt(then, timelineDescriptionPath)),
          status: shown(option.status),
          reason: comment ?? null,
          created,
        };
      }),
    );
    const { previousVersion } = document;
    version = typeof previousVersion === 'string' ? await ctx.documents.get(previousVersion) : undefined;
  }
  return entries;
}

const shown = (value: unknown): Json => (value === undefined ? null : (value as Json));
