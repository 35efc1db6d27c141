/** The table of functions of mathjs beyond arithmetic: trigonometry, counting, statistics, and functions that make lists. */
import { filter, forEach, map } from './callbacks.js';
import { calculate } from './arithmetic.js';
import { combinations, factorial, gcd, lcm, permutations } from './counting.js';
import { elementary } from './elementary.js';
import { each } from './elementwise.js';
import { MANY, ofOne, ofTwo, type FormulaFunction } from './function-kinds.js';
import { cumulative, differences, filled, flattened, range, transposed } from './list-building.js';
import { correlation, medianDeviation, mode, numbers, quantiles, sumOf } from './statistics.js';
import { atan2, expm1, log1p, trigonometry } from './trigonometry.js';
import { bounded, toNumber, type Real, type Value, type Work } from '../values/index.js';

type Apply = FormulaFunction['apply'];

const taking = (fewest: number, most: number, apply: Apply): FormulaFunction => ({ takes: [fewest, most], apply });

const test = (holds: (a: Real) => boolean): FormulaFunction =>
  taking(1, 1, ([a = null], work) => each(a, work, (value) => holds(toNumber(value))));

const folded = (apply: (a: Real, b: Real, work: Work) => Real): FormulaFunction =>
  taking(1, MANY, (args, work) => numbers(args, work).reduce((a, b) => apply(a, b, work)));

/** The length of a vector. */
const lengthOf: Apply = (args, work) => {
  const all = numbers(args, work);
  work.spend(all.length);
  return elementary.sqrt(
    sumOf(
      all.map((each) => bounded(each.times(each))),
      work,
    ),
    work,
  );
};

const scalarProduct: Apply = ([a = null, b = null], work): Value => calculate('multiply', a, b, work);

export const scientificFunctions: readonly (readonly [string, FormulaFunction])[] = [
  ...Object.entries(trigonometry).map(([name, apply]) => [name, ofOne(apply)] as const),
  ['atan2', ofTwo(atan2)],
  ['log1p', ofOne(log1p)],
  ['expm1', ofOne(expm1)],
  ['nthRoot', ofTwo(elementary.nthRoot, 2)],
  ['hypot', taking(1, MANY, lengthOf)],
  ['norm', taking(1, 1, lengthOf)],
  ['dot', taking(2, 2, scalarProduct)],
  ['bignumber', ofOne((a) => a)],
  ['fraction', ofOne((a) => a)],
  ['isInteger', test((a) => a.isInteger())],
  ['isPositive', test((a) => a.gt(0))],
  ['isNegative', test((a) => a.lt(0))],
  ['isZero', test((a) => a.isZero())],
  ['factorial', ofOne(factorial)],
  ['combinations', ofTwo(combinations)],
  [
    'permutations',
    taking(1, 2, (args, work) =>
      args.length === 1 ? ofOne(factorial).apply(args, work) : ofTwo(permutations).apply(args, work),
    ),
  ],
  ['gcd', folded(gcd)],
  ['lcm', folded(lcm)],
  ['mode', taking(1, MANY, mode)],
  ['mad', taking(1, MANY, medianDeviation)],
  ['quantileSeq', taking(2, 3, quantiles)],
  ['corr', taking(2, 2, (args, work) => correlation(args, work, elementary.sqrt))],
  ['cumsum', taking(1, MANY, cumulative)],
  ['diff', taking(1, 1, differences)],
  ['flatten', taking(1, 1, flattened)],
  ['transpose', taking(1, 1, transposed)],
  ['range', taking(2, 4, range)],
  ['zeros', taking(1, MANY, filled(0))],
  ['ones', taking(1, MANY, filled(1))],
  ['map', taking(2, MANY, map)],
  ['filter', taking(2, 2, filter)],
  ['forEach', taking(2, 2, forEach)],
];
