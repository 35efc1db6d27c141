/** Exact numbers: which values count as one, and the bounds of every result. */
import { FormulaError } from '../formula-error.js';
import { formulaLimits } from '../limits.js';
import { decimal } from './mathjs.js';
import type { Decimal } from './parts.js';
import { describe, isNumber, type Value } from './values.js';

const numeric = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,4})?\s*$/i;

/** The number that a value is or stands for, since documents often hold numbers as text. */
export function numberIn(value: Value): Decimal | undefined {
  if (isNumber(value)) return value;
  if (typeof value === 'boolean') return decimal(value ? 1 : 0);
  if (typeof value !== 'string' || value.length > formulaLimits.numericTextLength || !numeric.test(value)) {
    return undefined;
  }
  return bounded(decimal(value.trim()));
}

export function toNumber(value: Value): Decimal {
  const number = numberIn(value);
  if (number === undefined) throw new FormulaError(`${describe(value)} is not a number`);
  return number;
}

export function toInteger(value: Value): number {
  const number = toNumber(value);
  if (!number.isInteger() || number.abs().gt(Number.MAX_SAFE_INTEGER)) {
    throw new FormulaError(`${describe(value)} is not a whole number`);
  }
  return number.toNumber();
}

export function bounded(number: Decimal): Decimal {
  if (number.isNaN()) throw new FormulaError('There is no such number');
  if (!number.isFinite() || number.e > formulaLimits.exponent) throw new FormulaError('A number is too large');
  return number.e < -formulaLimits.exponent ? decimal(0) : number;
}
