/** Statistics of lists. */
import { calculate } from './arithmetic.js';
import { flat } from './flat.js';
import { FormulaError } from '../formula-error.js';
import {
  bounded,
  describe,
  isList,
  isNumber,
  real,
  toInteger,
  toNumber,
  type Real,
  type Value,
  type Work,
} from '../values/index.js';

export function numbers(args: readonly Value[], work: Work): [Real, ...Real[]] {
  const [first, ...rest] = flat(args, work).map(toNumber);
  if (first === undefined) throw new FormulaError('The list is empty');
  return [first, ...rest];
}

export const sumOf = (all: readonly Real[], work: Work): Real =>
  all.reduce((sum, each) => calculate('add', sum, each, work) as Real, real(0));

/** Sorting takes about as many comparisons as the list is long, times its number of halvings. */
function ascending(all: readonly Real[], work: Work): Real[] {
  work.spend(all.length * Math.log2(all.length + 1));
  return [...all].sort((a, b) => a.comparedTo(b));
}

export const mean = (all: readonly Real[], work: Work): Real => sumOf(all, work).dividedBy(all.length);

export const median = (args: readonly Value[], work: Work): Real => {
  const all = ascending(numbers(args, work), work);
  const middle = all.slice(Math.ceil(all.length / 2) - 1, Math.floor(all.length / 2) + 1);
  return mean(middle, work);
};

const normalizations = ['unbiased', 'uncorrected', 'biased'];

/** A list may be followed by the normalization: divided by n - 1 (`unbiased`), by n (`uncorrected`) or n + 1 (`biased`). */
export function variance(args: readonly Value[], work: Work): Real {
  const last = args.at(-1);
  const how = args.length > 1 && typeof last === 'string' && normalizations.includes(last) ? last : undefined;
  const all = numbers(how === undefined ? args : args.slice(0, -1), work);
  const divisor = all.length + (how === undefined ? -1 : normalizations.indexOf(how) - 1);
  if (divisor === 0) return real(0);
  const center = mean(all, work);
  work.spend(2 * all.length);
  const squares = all.map((each) => {
    const distance = each.minus(center);
    return bounded(distance.times(distance));
  });
  return bounded(sumOf(squares, work).dividedBy(divisor));
}

/** The median distance from the median. */
export function medianDeviation(args: readonly Value[], work: Work): Real {
  const all = numbers(args, work);
  const center = median(all, work);
  return median(
    all.map((each) => each.minus(center).abs()),
    work,
  );
}

/** The most frequent values, in the order of the list. */
export function mode(args: readonly Value[], work: Work): Value {
  const all = flat(args, work);
  if (all.length === 0) throw new FormulaError('The list is empty');
  const counts = new Map<string, { readonly value: Value; count: number }>();
  for (const value of all) {
    if (typeof value === 'object' && !isNumber(value)) throw new FormulaError(`${describe(value)} cannot be counted`);
    const key = `${typeof value} ${isNumber(value) ? value.toString() : String(value)}`;
    const counted = counts.get(key);
    if (counted === undefined) counts.set(key, { value, count: 1 });
    else counted.count += 1;
  }
  const most = Math.max(...[...counts.values()].map(({ count }) => count));
  return [...counts.values()].filter(({ count }) => count === most).map(({ value }) => value);
}

/**
 * The value below which a share of the list lies, between its neighbours where none is exactly there. `shares`: one from 0
 * to 1, a list of them, or a whole number of parts.
 */
export function quantiles([list = null, shares = null, isSorted = false]: readonly Value[], work: Work): Value {
  const all = numbers(isList(list) ? [list] : [[list]], work);
  const inOrder = isSorted === true ? all : ascending(all, work);
  if (isList(shares)) return shares.map((share) => quantile(inOrder, toNumber(share), work));
  const share = toNumber(shares);
  if (share.lte(1)) return quantile(inOrder, share, work);
  const parts = toInteger(share);
  work.listOf(parts);
  return Array.from({ length: parts }, (_, i) => quantile(inOrder, real(i + 1).dividedBy(parts + 1), work));
}

function quantile(inOrder: readonly Real[], share: Real, work: Work): Real {
  work.spend(1);
  if (share.lt(0) || share.gt(1)) throw new FormulaError(`${describe(share)} is no share from 0 to 1`);
  const place = share.times(real(inOrder.length - 1));
  const below = place.floor();
  const low = inOrder[below.toNumber()] ?? real(0);
  const high = inOrder[below.toNumber() + 1] ?? low;
  return bounded(low.plus(high.minus(low).times(place.minus(below))));
}

/** Of two lists: the correlation of Pearson, from -1 to 1. `root` takes a square root. */
export function correlation(
  [first = null, second = null]: readonly Value[],
  work: Work,
  root: (a: Real, work: Work) => Real,
): Value {
  const [a, b] = [numbers([first], work), numbers([second], work)];
  if (a.length !== b.length) {
    throw new FormulaError(`A list of ${String(a.length)} and one of ${String(b.length)} do not go together`);
  }
  const [x, y] = [mean(a, work), mean(b, work)];
  const [dx, dy] = [a.map((each) => each.minus(x)), b.map((each) => each.minus(y))];
  const products = (p: readonly Real[], q: readonly Real[]): Real =>
    sumOf(
      p.map((each, i) => bounded(each.times(q[i] ?? each))),
      work,
    );
  work.spend(5 * a.length);
  const scale = root(products(dx, dx).times(products(dy, dy)), work);
  if (scale.isZero()) throw new FormulaError('A list without differences has no correlation');
  return products(dx, dy).dividedBy(scale);
}
