/** Moves at forms: data made from the schema that the form shows. */
import type { Json, JsonObject } from '@blockwork/core';
import { gridColumns, isObject, valueAt } from '@blockwork/core/block';
import { sampleSubject } from '../../sample-data/sample-subject.js';
import { post, type MadeMove, type MoveContext, type MoveMaker } from './move-context.js';
import { offeredRow, postedRow } from './rows.js';

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
  const document = sampleSubject(schema as JsonObject, {
    random: ctx.random,
    account: ctx.player.account,
    given: presetValues(ctx, form, origin),
  });
  if (offered !== null) {
    return { move: post(ctx, { document, ref: postedRow() }, { row: offered.choice }), row: offered.row };
  }
  // The document that the form shows is what the new one refers to.
  const ref = valueAt(form, 'data.document.credentialSubject.0.id');
  if (typeof ref === 'string') return ownDocumentMove(ctx, document, form['data'] as JsonObject);
  return { move: post(ctx, { document, ref: null }) };
};

/** Refers to the document that the form itself shows, which no grid need list. */
const ownDocumentMove = (ctx: MoveContext, document: JsonObject, data: JsonObject): MadeMove => ({
  move: post(ctx, { document, ref: postedRow() }, { row: { grid: ctx.site.node.tag, path: 'data' } }),
  row: data,
});

/** Fields that come filled in: from the document that the form opens on, or from what the client knows of the user. */
function presetValues({ player }: MoveContext, form: Record<string, unknown>, origin: Json): JsonObject {
  const subject = valueAt(origin, 'document.credentialSubject.0');
  const given: JsonObject = {};
  const fields: unknown[] = Array.isArray(form['presetFields']) ? form['presetFields'] : [];
  for (const field of fields) {
    if (!isObject(field)) continue;
    const { name, value, readonly } = field as { name?: unknown; value?: unknown; readonly?: unknown };
    if (typeof name !== 'string' || typeof value !== 'string' || name === '' || value === '') continue;
    const known =
      value === 'username'
        ? player.name
        : value === 'hederaAccountId'
          ? player.account
          : isObject(subject) && Object.hasOwn(subject, value)
            ? (subject[value] as Json)
            : undefined;
    if (known !== undefined && (readonly === true || readonly === 'true')) given[name] = known;
  }
  return given;
}
