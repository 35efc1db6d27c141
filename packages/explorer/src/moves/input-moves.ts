/** Moves at unknown block types: data generated from their input schema. */
import type { Json, JsonObject } from '@blockwork/core';
import { isObject, type BlockType } from '@blockwork/core/block';
import { z } from 'zod';
import { sampleSubject } from '../sample-data/sample-subject.js';
import { typeOf } from '../sites.js';
import { post, type MoveMaker } from './move-context.js';
import { offeredRow, postedRow } from './rows.js';

export const inputMove: MoveMaker = async (ctx) => {
  const type = typeOf(ctx.site.node);
  if (type === null) return null;
  const offered = ctx.site.grids.length === 0 ? null : await offeredRow(ctx);
  if (ctx.site.grids.length > 0 && offered === null) return null;
  const sample = sampleSubject(inputSchema(type), {
    random: ctx.random,
    account: ctx.player.account,
    without: new Set(),
  });
  if (offered === null) return { move: post(ctx, sample) };
  return { move: post(ctx, pointedAtRow(sample), { row: offered.choice }), row: offered.row };
};

/** Members by which clients name a row. */
function pointedAtRow(body: JsonObject): JsonObject {
  const row: Readonly<Record<string, Json>> = {
    document: postedRow(),
    documentId: '${row.id}',
    ref: '${row.id}',
    filterValue: '${row.hash}',
  };
  return { ...body, ...Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(body, name))) };
}

const schemas = new WeakMap<BlockType, JsonObject>();

/** The input as JSON Schema; empty if it cannot be expressed. */
function inputSchema(type: BlockType): JsonObject {
  const cached = schemas.get(type);
  if (cached !== undefined) return cached;
  const jsonSchema: unknown =
    type.input === undefined ? {} : z.toJSONSchema(type.input, { unrepresentable: 'any', io: 'input' });
  const schema = isObject(jsonSchema) ? (jsonSchema as JsonObject) : {};
  schemas.set(type, schema);
  return schema;
}
