/** Amounts of tokens: exact conversion between decimal text for people and whole units for the ledger. */
import { BlockworkError } from '../errors.js';
import { MAX_UNITS } from '../records/index.js';

const MAX_TEXT = 400;
const MAX_UNIT_DIGITS = MAX_UNITS.toString().length;
const decimalText = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;

/**
 * The units of an amount in decimal or scientific notation: `12.3457`, `1e21`, `.5`. Rounds half up, exactly. Throws
 * `AMOUNT_INVALID` for text that is not a number, negative amounts, and more than `MAX_UNITS`.
 */
export function unitsOf(amount: string, decimals: number): bigint {
  const text = amount.trim();
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    (text.length > MAX_TEXT ? null : decimalText.exec(text)) ?? [];
  if (sign === undefined || whole + fraction === '') invalid(amount, 'which is no decimal number');
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  if (sign === '-') invalid(amount, 'which is negative');
  const shift = Number(exponent) - fraction.length + decimals;
  if (digits.length + shift > MAX_UNIT_DIGITS) invalid(amount, tooMuch(decimals));
  const units = shift >= 0 ? BigInt(digits) * 10n ** BigInt(shift) : rounded(digits, -shift);
  if (units > MAX_UNITS) invalid(amount, tooMuch(decimals));
  return units;
}

/** Formats units as an amount with exactly `decimals` digits after the point. */
export function amountOf(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString();
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Without the last `dropped` digits, rounded by the first of them. */
function rounded(digits: string, dropped: number): bigint {
  if (dropped > digits.length) return 0n;
  const remaining = digits.slice(0, digits.length - dropped);
  return BigInt(remaining === '' ? 0 : remaining) + (digits.charAt(remaining.length) >= '5' ? 1n : 0n);
}

const tooMuch = (decimals: number): string =>
  `which is more than a token with ${String(decimals)} decimals can have, ${amountOf(MAX_UNITS, decimals)}`;

function invalid(amount: string, reason: string): never {
  const shown = amount.length > 60 ? `${amount.slice(0, 60)}…` : amount;
  throw new BlockworkError('AMOUNT_INVALID', { facts: { amount: `"${shown}"`, reason } });
}
