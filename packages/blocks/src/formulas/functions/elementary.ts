/** Functions of one or two numbers that cost more than arithmetic. */
import { FormulaError } from '../formula-error.js';
import { formulaLimits } from '../limits.js';
import { approximated, PRECISION, real, Real, type Work } from '../values/index.js';

/** Steps for one call: its cost compared to an addition, measured and rounded up. */
const COST = 100;

/** Beyond this, `exp` exceeds the largest number or is 0. */
const LARGEST_LOGARITHM = formulaLimits.exponent * 2.4;

const LARGEST_DEGREE = 1_000;

function exp(a: Real, work: Work): Real {
  work.spend(COST);
  if (a.gt(LARGEST_LOGARITHM)) throw new FormulaError('A number is too large');
  return a.lt(-LARGEST_LOGARITHM)
    ? real(0)
    : approximated(
        a,
        (x) => x.exp(),
        (result) => result,
      );
}

function ln(a: Real, work: Work): Real {
  work.spend(COST);
  if (a.lte(0)) throw new FormulaError(`There is no logarithm of ${a.toString()}`);
  return approximated(
    a,
    (x) => x.ln(),
    () => real(1).dividedBy(a).value,
  );
}

function log(a: Real, base: Real, work: Work): Real {
  if (a.lte(0) || base.lte(0) || base.eq(1)) {
    throw new FormulaError(`There is no logarithm of ${a.toString()} to the base ${base.toString()}`);
  }
  const result = ln(a, work).dividedBy(ln(base, work));
  const whole = result.toDecimalPlaces(0);
  // The logarithm of a whole power is exact.
  return result.isInteger() && base.wholePower(whole)?.eq(a) === true ? whole : result;
}

function pow(a: Real, b: Real, work: Work): Real {
  work.spend(COST);
  if (a.isZero() && b.isNegative() && !b.isZero()) throw new FormulaError('It divides by zero');
  if (a.isNegative() && !b.isInteger()) {
    throw new FormulaError(`${a.toString()} to the power of ${b.toString()} is not a real number`);
  }
  const exact = a.wholePower(b);
  if (exact !== null) return exact;
  if (a.isZero()) return real(b.isZero() ? 1 : 0);
  const result = a.value.pow(b.value);
  const fromBase = a.error.times(b.value).dividedBy(a.value);
  const fromExponent = b.error.isZero() ? b.error : b.error.times(a.value.abs().ln());
  return Real.inexact(result, result.times(fromBase.abs().plus(fromExponent.abs())).abs());
}

function sqrt(a: Real, work: Work): Real {
  work.spend(COST);
  if (a.isNegative() && !a.isZero()) throw new FormulaError(`There is no square root of ${a.toString()}`);
  return root(a, 2, (x) => x.sqrt());
}

function cbrt(a: Real, work: Work): Real {
  work.spend(COST);
  return root(a, 3, (x) => x.cbrt());
}

/** Exact where the root is a decimal. */
function root(a: Real, degree: number, apply: (a: Real['value']) => Real['value']): Real {
  const result = approximated(a, apply, (value) => value.dividedBy(a.value.times(degree)));
  const exact = real(result.value.toSignificantDigits(PRECISION / 2));
  return a.isExact && exact.wholePower(real(degree))?.eq(a) === true ? exact : result;
}

/** The real root; of a negative number only if the degree is odd. */
function nthRoot(a: Real, degree: Real, work: Work): Real {
  work.spend(COST);
  const n = degree.toNumber();
  if (!Number.isInteger(n) || n < 1 || n > LARGEST_DEGREE || (a.isNegative() && n % 2 === 0)) {
    throw new FormulaError(`There is no root of ${a.toString()} of the degree ${degree.toString()}`);
  }
  if (a.isZero()) return a;
  const positive = root(a.abs(), n, (x) => x.pow(real(1).dividedBy(n).value));
  return a.isNegative() ? positive.negated() : positive;
}

function placesIn(places: Real): number {
  const count = places.toNumber();
  if (!Number.isInteger(count) || count < 0 || count > PRECISION) {
    throw new FormulaError(`A number is rounded to 0 to ${String(PRECISION)} places`);
  }
  return count;
}

/** Half away from zero. */
const round = (a: Real, places: Real): Real => a.toDecimalPlaces(placesIn(places));

/** Rounds by `whole` at a decimal place. */
const roundedBy =
  (whole: (a: Real) => Real) =>
  (a: Real, places: Real): Real => {
    const scale = real(`1e${String(placesIn(places))}`);
    return whole(a.times(scale)).dividedBy(scale);
  };

const floor = roundedBy((a) => a.floor());
const ceil = roundedBy((a) => a.ceil());
const fix = roundedBy((a) => a.trunc());

export const elementary = { exp, ln, log, pow, sqrt, cbrt, nthRoot, round, floor, ceil, fix };
