/** `dataTransformationAddon`: transforms the rows of a grid with the author's script. */
import { checkOptions } from '@blockwork/core/block';
import {
  asJson,
  defineBlock,
  finding,
  heading,
  isObject,
  tolerant,
  type BlockType,
  type DocumentRow,
  type Json,
  type JsonObject,
  type ReadContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { ownSources } from '../common/own-sources.js';
import { resultOfScript, scriptBlockOptions, ScriptRunner, type ScriptBlockOptions } from '../scripts/index.js';

const options = z.object({
  /** JavaScript over `documents`, the rows, with `user` and `sources`; its result is passed to `done`. */
  expression: tolerant.text,
});
type Context = ReadContext<z.infer<typeof options>>;

/** Maximum number of rows per transformation. */
const ROWS_AT_MOST = 1000;

export const GET_DATA = 'GetDataEvent';

/** A button's request: the row in which it was pressed. */
const rowQuestion = z.object({ row: z.custom<JsonObject>(isObject) });

export type TransformationOptions = ScriptBlockOptions;

/** Throws `OPTION_INVALID`. */
export function dataTransformationAddon(settings: TransformationOptions = {}): BlockType {
  checkOptions(settings, scriptBlockOptions, 'dataTransformationAddon: ');
  const scripts = new ScriptRunner(settings.scripts, settings.threads);
  return defineBlock({
    type: 'dataTransformationAddon',
    title: 'Transformation',
    description: 'Transforms the rows of a grid with a script.',
    kind: 'addon',
    children: ['source'],
    parents: ['interfaceDocumentsSourceBlock'],
    inputs: [GET_DATA],
    options,
    check: (node, { expression }) =>
      expression.trim() === ''
        ? [finding(node, { path: '/expression', message: `"${node.tag}" has no script, so it gives nothing.` })]
        : [],
    async read(ctx) {
      const selection = await ctx.parent?.select();
      const rows = selection === undefined ? [] : await ctx.documents.rows(selection, { limit: ROWS_AT_MOST });
      return { ...heading(ctx), data: await transformed(ctx, scripts, rows) };
    },
    async answer(ctx, question) {
      const { row } = rowQuestion.parse(question);
      return transformed(ctx, scripts, [row as unknown as DocumentRow]);
    },
  });
}

/** Random numbers are seeded by the block, so the result is deterministic. */
async function transformed(ctx: Context, scripts: ScriptRunner, rows: readonly DocumentRow[]): Promise<Json> {
  const sources = await ctx.documents.rows({ sources: await ownSources(ctx) }, { limit: ROWS_AT_MOST });
  return resultOfScript(ctx, scripts, {
    expression: `const sources = artifacts[0];${ctx.options.expression}`,
    documents: rows.map(asJson),
    artifacts: [sources.map(asJson)],
    seed: ctx.block.uuid,
  });
}
