/** Exact numbers: which values count as one, and the bounds of every result. */
import { FormulaError } from '../formula-error.js';
import { formulaLimits } from '../limits.js';
import { real, type Real } from './real.js';
import { describe, isNumber, type Value } from './values.js';

const numeric = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,4})?\s*$/i;

/** The number that a value is or stands for, since documents often hold numbers as text. */
export function numberIn(value: Value): Real | undefined {
  if (isNumber(value)) return value;
  if (typeof value === 'boolean') return real(value ? 1 : 0);
  if (typeof value !== 'string' || value.length > formulaLimits.numericTextLength || !numeric.test(value)) {
    return undefined;
  }
  return bounded(real(value.trim()));
}

export function toNumber(value: Value): Real {
  const number = numberIn(value);
  if (number === undefined) throw new FormulaError(`${describe(value)} is not a number`);
  return number;
}

export function toInteger(value: Value): number {
  const number = toNumber(value);
  if (!number.isInteger() || number.abs().gt(Number.MAX_SAFE_INTEGER)) {
    throw new FormulaError(`${describe(value)} is not a whole number`);
  }
  return number.toDecimalPlaces(0).toNumber();
}

/** Throws a `FormulaError` for a number beyond the limits; one that is too small becomes 0. */
export function bounded(number: Real): Real {
  const { value } = number;
  if (value.isNaN()) throw new FormulaError('There is no such number');
  if (!value.isFinite() || value.e > formulaLimits.exponent) throw new FormulaError('A number is too large');
  return value.e < -formulaLimits.exponent ? real(0) : number;
}
