/** The network's currency: amounts are whole tinybars, and are shown in HBAR. */
import { BlockworkError } from '@blockwork/core';
import { amountOf, unitsOf } from '@blockwork/core/block';

const DECIMALS = 8;

export const tinybarsOf = (hbar: number): bigint => unitsOf(String(hbar), DECIMALS);

/** Of an amount as decimal text. Throws `INPUT_INVALID`. */
export function tinybarsIn(text: string): bigint {
  if (/^\d{1,11}(\.\d{1,8})?$/.test(text)) return unitsOf(text, DECIMALS);
  const reason = `"${text.slice(0, 40)}" is not an amount of HBAR such as 12.5.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
}

/** Without zeros at the end. */
export const hbarText = (tinybars: bigint): string => amountOf(tinybars, DECIMALS).replace(/\.?0+$/, '');
