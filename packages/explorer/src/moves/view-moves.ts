/** Moves that change only a player's view: filters, pages, reports. */
import { isObject, valueAt, type Json } from '@blockwork/core/block';
import { post, type MoveMaker } from './move-context.js';
import { offeredRow } from './rows.js';

export const filterMove: MoveMaker = async (ctx) => {
  const answer = await ctx.read(ctx.site.node);
  const options = valueAt(answer, 'data');
  const values = Array.isArray(options) ? options.filter(isObject).map(({ value }) => value as Json) : [];
  const canBeEmpty = valueAt(answer, 'canBeEmpty') === true;
  // Most of the time all documents should show.
  if (canBeEmpty && (values.length === 0 || ctx.random.chance(0.8))) return { move: post(ctx, { filterValue: null }) };
  const value = ctx.random.pick(values);
  return value === undefined ? null : { move: post(ctx, { filterValue: value }) };
};

/** Sorts by one of the columns, if the policy allows it. */
export const orderMove: MoveMaker = (ctx) => {
  const { enableSorting, fields } = ctx.site.node.uiMetaData;
  const names = (Array.isArray(fields) ? fields : []).flatMap((field) => {
    const name: unknown = isObject(field) && field['type'] === 'text' ? field['name'] : undefined;
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
  const orderField = ctx.random.pick(names);
  if (enableSorting !== true || orderField === undefined) return Promise.resolve(null);
  const orderDirection = ctx.random.pick(['asc', 'desc']) ?? 'asc';
  return Promise.resolve({ move: post(ctx, { orderField, orderDirection }) });
};

export const pagingMove: MoveMaker = async (ctx) => {
  const size = valueAt(await ctx.read(ctx.site.node), 'size');
  if (typeof size !== 'number') return null;
  return { move: post(ctx, { size, itemsPerPage: 100, page: 0 }) };
};

/** Opens the trust chain of a row. */
export const reportMove: MoveMaker = async (ctx) => {
  const offered = await offeredRow(ctx, ({ hash }) => typeof hash === 'string' && hash !== '');
  if (offered === null) return ctx.site.grids.length > 0 ? null : { move: post(ctx, { filterValue: null }) };
  return { move: post(ctx, { filterValue: '${row.hash}' }, { row: offered.choice }), row: offered.row };
};
