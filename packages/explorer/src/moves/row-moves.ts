/** Moves on the rows of grids: buttons, actions, votes. */
import type { Json, JsonObject } from '@blockwork/core';
import { isObject, valueAt } from '@blockwork/core/block';
import { freshly, post, type MoveContext, type MoveMaker } from './move-context.js';
import { offeredRow, postedRow } from './rows.js';

interface Button {
  readonly tag: string;
  readonly field: string;
  readonly value: Json;
  readonly isDialog: boolean;
  /** The button's own filters, plus those of all other buttons unless the block filters individually. */
  readonly filters: readonly Filter[];
}

interface Filter {
  readonly type: string;
  readonly field: string;
  readonly value: unknown;
}

export const buttonMove: MoveMaker = async (ctx) => {
  const button = freshly(ctx, buttonsOf(ctx), ({ tag }) => tag);
  if (button === undefined) return null;
  if (ctx.site.grids.length === 0) {
    return { move: post(ctx, { tag: button.tag, document: null }, { choice: button.tag }) };
  }
  const offered = await offeredRow(ctx, (row) => isOffered(button, row));
  if (offered === null) return null;
  const { tag, field, value, isDialog } = button;
  const set: JsonObject = {
    ...(field !== '' && { [field]: value }),
    ...(isDialog && { 'option.comment': ['explored'] }),
  };
  const move = post(ctx, { tag, document: postedRow(set) }, { row: offered.choice, choice: tag });
  return { move, row: offered.row };
};

/** Clients hide a button whose field has its value already, and one whose filters fail. */
const isOffered = ({ field, value, filters }: Button, row: JsonObject): boolean =>
  !(field !== '' && valueAt(row, field) === value) && filters.every((filter) => passes(row, filter));

function passes(row: JsonObject, { type, field, value }: Filter): boolean {
  if (field === '') return true;
  const text = asText(valueAt(row, field));
  const wanted = Array.isArray(value) ? value.map(asText) : asText(value).split(',');
  switch (type) {
    case 'equal':
      return text === asText(value);
    case 'not_equal':
      return text !== asText(value);
    case 'in':
      return wanted.includes(text);
    case 'not_in':
      return !wanted.includes(text);
    default:
      return false;
  }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

function buttonsOf({ site: { node } }: MoveContext): Button[] {
  const { buttons, enableIndividualFilters } = node.uiMetaData;
  const areApart = enableIndividualFilters === true || enableIndividualFilters === 'true';
  const filtersOf = (button: JsonObject): Filter[] =>
    (areApart ? [button] : listOf(buttons)).flatMap(({ filters }) => listOf(filters)).map(filterOf);
  return listOf(buttons).map((button) => ({
    tag: textOf(button['tag']),
    field: textOf(button['field']),
    value: button['value'] ?? null,
    isDialog: button['type'] === 'selector-dialog',
    filters: filtersOf(button),
  }));
}

const filterOf = ({ type, field, value }: JsonObject): Filter => ({ type: textOf(type), field: textOf(field), value });

/** A choice from fixed options or from a list, or a download. */
export const interfaceActionMove: MoveMaker = async (ctx) => {
  const answer = await ctx.read(ctx.site.node);
  if (!isObject(answer)) return null;
  const offered = await offeredRow(ctx);
  if (offered === null) return null;
  const field = textOf(answer['field']);
  const choices = answer['type'] === 'dropdown' ? answer['options'] : valueAt(answer, 'uiMetaData.options');
  const chosen = freshly(ctx, listOf(choices), ({ value }) => asText(value));
  if (answer['type'] !== 'download' && chosen === undefined) return null;
  const set: JsonObject = chosen === undefined || field === '' ? {} : { [field]: chosen['value'] ?? null };
  const move = post(ctx, postedRow(set), { row: offered.choice, choice: asText(chosen?.['value']) });
  return { move, row: offered.row };
};

export const voteMove: MoveMaker = async (ctx) => {
  const offered = await offeredRow(ctx, (row) => {
    const { documentStatus, confirmationStatus } = statusOn(row, ctx.site.node.uuid);
    return ![documentStatus, confirmationStatus].some((status) => status === 'SIGNED' || status === 'DECLINED');
  });
  if (offered === null) return null;
  const status = freshly(ctx, ['SIGNED', 'DECLINED'], (each) => each) ?? 'SIGNED';
  const move = post(ctx, { status, document: postedRow() }, { row: offered.choice, choice: status });
  return { move, row: offered.row };
};

function statusOn(row: JsonObject, block: string): Record<string, unknown> {
  const status = valueAt(row, `blocks.${block}.status`);
  return isObject(status) ? status : {};
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter((each): each is JsonObject => isObject(each)) : [];
