/** Functions of one or two numbers that cost more than arithmetic. */
import { FormulaError } from '../formula-error.js';
import { formulaLimits } from '../limits.js';
import { decimal, PRECISION, type Decimal, type Work } from '../values/index.js';

/** Steps for one call: its cost compared to an addition, measured and rounded up. */
const COST = 100;

/** Beyond this, `exp` exceeds the largest number or is 0. */
const LARGEST_LOGARITHM = formulaLimits.exponent * 2.4;

function exp(a: Decimal, work: Work): Decimal {
  work.spend(COST);
  if (a.gt(LARGEST_LOGARITHM)) throw new FormulaError('A number is too large');
  return a.lt(-LARGEST_LOGARITHM) ? decimal(0) : a.exp();
}

function ln(a: Decimal, work: Work): Decimal {
  work.spend(COST);
  if (a.lte(0)) throw new FormulaError(`There is no logarithm of ${a.toString()}`);
  return a.ln();
}

function log(a: Decimal, base: Decimal, work: Work): Decimal {
  work.spend(2 * COST);
  if (a.lte(0) || base.lte(0) || base.eq(1)) {
    throw new FormulaError(`There is no logarithm of ${a.toString()} to the base ${base.toString()}`);
  }
  return a.log(base);
}

function pow(a: Decimal, b: Decimal, work: Work): Decimal {
  work.spend(COST);
  if (a.isZero() && b.isNegative() && !b.isZero()) throw new FormulaError('It divides by zero');
  if (a.isNegative() && !b.isInteger()) {
    throw new FormulaError(`${a.toString()} to the power of ${b.toString()} is not a real number`);
  }
  return a.pow(b);
}

function sqrt(a: Decimal, work: Work): Decimal {
  work.spend(COST);
  if (a.isNegative() && !a.isZero()) throw new FormulaError(`There is no square root of ${a.toString()}`);
  return a.sqrt();
}

function cbrt(a: Decimal, work: Work): Decimal {
  work.spend(COST);
  return a.cbrt();
}

/** Half away from zero. */
function round(a: Decimal, places: Decimal): Decimal {
  const count = places.toNumber();
  if (!Number.isInteger(count) || count < 0 || count > PRECISION) {
    throw new FormulaError(`A number is rounded to 0 to ${String(PRECISION)} places`);
  }
  return a.toDecimalPlaces(count);
}

export const elementary = { exp, ln, log, pow, sqrt, cbrt, round };
