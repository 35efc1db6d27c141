/** Moves at forms: data generated from the form's schema. */
import type { Json, JsonObject } from '@blockwork/core';
import { gridColumns, isObject, valueAt } from '@blockwork/core/block';
import { sampleSubject, type SampleOptions } from '../sample-data/sample-subject.js';
import { post, type MadeMove, type MoveContext, type MoveMaker } from './move-context.js';
import { offeredRow, postedRow } from './rows.js';

/** Strategies for form data, since downstream scripts and formulas rely on more than the schema requires. */
const styles: readonly { readonly name: string; readonly share: number; readonly sample: Partial<SampleOptions> }[] = [
  { name: 'everything', share: 10, sample: { filledIn: 1 } },
  { name: 'numerals', share: 3, sample: { filledIn: 1, texts: 'numerals' } },
  { name: 'most', share: 3, sample: {} },
  { name: 'least', share: 1, sample: { filledIn: 0 } },
];

export const formMove: MoveMaker = async (ctx) => {
  const form = await ctx.read(ctx.site.node);
  const schema = valueAt(form, 'schema.document');
  if (!isObject(form) || !isObject(schema)) return null;
  const isOpenedByRows = ctx.site.grids.some((grid) =>
    gridColumns(grid).some(({ bindBlock, bindBlocks }) => [bindBlock, ...bindBlocks].includes(ctx.site.node.tag)),
  );
  const offered = await offeredRow(ctx);
  if (offered === null && isOpenedByRows) return null;
  const origin = offered?.row ?? form['data'] ?? null;
  const style = ctx.random.weighted(styles, ({ name, share }) => share * ctx.success(name));
  const more = { style: style?.name ?? '' };
  const document = sampleSubject(schema as JsonObject, {
    random: ctx.random,
    account: ctx.player.account,
    ...style?.sample,
    presets: presetValues(ctx, form, origin),
  });
  if (offered !== null) {
    return { move: post(ctx, { document, ref: postedRow() }, { ...more, row: offered.choice }), row: offered.row };
  }
  // The document that the form shows is what the new one refers to.
  const ref = valueAt(form, 'data.document.credentialSubject.0.id');
  if (typeof ref === 'string') return ownDocumentMove(ctx, document, form['data'] as JsonObject, more);
  return { move: post(ctx, { document, ref: null }, more) };
};

/** Refers to the document that the form itself shows, which no grid need list. */
const ownDocumentMove = (
  ctx: MoveContext,
  document: JsonObject,
  data: JsonObject,
  more: { readonly style: string },
): MadeMove => ({
  move: post(ctx, { document, ref: postedRow() }, { ...more, row: { grid: ctx.site.node.tag, path: 'data' } }),
  row: data,
});

/** Prefilled fields: from the document the form opens on, or from the user's profile. */
function presetValues({ player }: MoveContext, form: Record<string, unknown>, origin: Json): JsonObject {
  const subject = valueAt(origin, 'document.credentialSubject.0');
  const presets: JsonObject = {};
  const fields: unknown[] = Array.isArray(form['presetFields']) ? form['presetFields'] : [];
  for (const field of fields) {
    if (!isObject(field)) continue;
    const { name, value, readonly } = field as { name?: unknown; value?: unknown; readonly?: unknown };
    if (typeof name !== 'string' || typeof value !== 'string' || name === '' || value === '') continue;
    const preset =
      value === 'username'
        ? player.name
        : value === 'hederaAccountId'
          ? player.account
          : isObject(subject) && Object.hasOwn(subject, value)
            ? (subject[value] as Json)
            : undefined;
    if (preset !== undefined && (readonly === true || readonly === 'true')) presets[name] = preset;
  }
  return presets;
}
