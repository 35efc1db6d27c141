/** Moves at blocks that hold a run until their user decides about a token. */
import { isObject, valueAt, type JsonObject } from '@blockwork/core/block';
import { post, type MoveMaker } from './move-context.js';

export const tokenConfirmationMove: MoveMaker = async (ctx) => {
  const answer = await ctx.read(ctx.site.node);
  if (typeof valueAt(answer, 'accountId') !== 'string') return null;
  return { move: post(ctx, { action: 'confirm', hederaAccountKey: 'explored' }) };
};

const blanks: JsonObject = {
  tokenName: 'Explored',
  tokenSymbol: 'EXP',
  tokenType: 'fungible',
  decimals: '2',
  initialSupply: '0',
  enableAdmin: true,
  enableFreeze: false,
  enableKYC: false,
  enableWipe: true,
};

/** Completes the blanks of the template. */
export const createTokenMove: MoveMaker = async (ctx) => {
  const answer = await ctx.read(ctx.site.node);
  const template = valueAt(answer, 'data');
  if (valueAt(answer, 'active') !== true || !isObject(template)) return null;
  return { move: post(ctx, { ...blanks, ...(template as JsonObject) }) };
};
