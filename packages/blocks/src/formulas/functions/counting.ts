/** Functions of whole numbers. Their results grow so fast that the largest number bounds their loops. */
import { FormulaError } from '../formula-error.js';
import { bounded, describe, real, toInteger, type Real, type Work } from '../values/index.js';

/** Steps for a product of long numbers, compared to an addition. */
const COST = 5;

function naturalNumber(value: Real): number {
  const number = toInteger(value);
  if (number < 0) throw new FormulaError(`${describe(value)} is less than 0`);
  return number;
}

/** Steps for dividing numbers of so many digits until nothing is left. */
const DIVISION_COST = 50;

/** The product of `count` whole numbers from `first` on. */
function product(first: number, count: number, work: Work): Real {
  let result = real(1);
  for (let i = 0; i < count; i += 1) {
    work.spend(COST);
    result = bounded(result.times(real(first + i)));
  }
  return result;
}

export const factorial = (a: Real, work: Work): Real => product(1, naturalNumber(a), work);

/** The ways to choose `chosen` of `all`, in order. */
export function permutations(all: Real, chosen: Real, work: Work): Real {
  const [n, k] = [naturalNumber(all), naturalNumber(chosen)];
  if (k > n) throw new FormulaError(`${describe(chosen)} cannot be chosen of ${describe(all)}`);
  return product(n - k + 1, k, work);
}

/** The ways to choose `chosen` of `all`, in any order. */
export function combinations(all: Real, chosen: Real, work: Work): Real {
  const [n, k] = [naturalNumber(all), naturalNumber(chosen)];
  if (k > n) throw new FormulaError(`${describe(chosen)} cannot be chosen of ${describe(all)}`);
  let result = real(1);
  for (let i = 1; i <= Math.min(k, n - k); i += 1) {
    work.spend(COST);
    result = bounded(result.times(real(n - Math.min(k, n - k) + i)).dividedBy(i));
  }
  return result;
}

/** Not negative. */
export function gcd(a: Real, b: Real, work: Work): Real {
  let [x, y] = [wholeNumber(a), wholeNumber(b)];
  work.spend(DIVISION_COST + (x.toString().length + y.toString().length) / 10);
  while (y !== 0n) [x, y] = [y, x % y];
  return real(String(x < 0n ? -x : x));
}

export function lcm(a: Real, b: Real, work: Work): Real {
  if (a.isZero() || b.isZero()) return real(0);
  return bounded(
    a
      .times(b)
      .abs()
      .dividedBy(gcd(a, b, work)),
  );
}

function wholeNumber(value: Real): bigint {
  if (!value.isInteger()) throw new FormulaError(`${describe(value)} is not a whole number`);
  return BigInt(value.toDecimalPlaces(0).toFixed());
}
