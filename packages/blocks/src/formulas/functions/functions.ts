/** The table of functions that formulas can name. */
import { FormulaError } from '../formula-error.js';
import { bounded, Callable, describe, real, type Real, toNumber, type Value, type Work } from '../values/index.js';
import { calculate } from './arithmetic.js';
import { filter, forEach, map } from './callbacks.js';
import { compareTexts, ordered } from './comparison.js';
import { isConstantName } from './constants.js';
import { combinations, factorial, gcd, lcm, permutations } from './counting.js';
import { elementary } from './elementary.js';
import { each, eachPair } from './elementwise.js';
import { comparison, type FormulaFunction, logical, MANY, ofOne, ofTexts, ofTwo, operator } from './function-kinds.js';
import { cumulative, differences, filled, flattened, range, transposed } from './list-building.js';
import { listFunctions } from './list-functions.js';
import { spreadsheetFunctions } from './spreadsheet.js';
import { correlation, medianDeviation, mode, numbers, quantiles, sumOf } from './statistics.js';
import { textOf } from './texts.js';
import { atan2, expm1, log1p, trigonometry } from './trigonometry.js';

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

const scientificFunctions: readonly (readonly [string, FormulaFunction])[] = [
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

const list = (
  name: keyof typeof listFunctions,
  takes: readonly [number, number] = [1, MANY],
): [string, FormulaFunction] => [name, { takes, apply: listFunctions[name] }];

const orderOf =
  (work: Work) =>
  (a: Value, b: Value): Value => {
    const order = ordered(a, b, work);
    if (order === undefined) throw new FormulaError(`${describe(a)} and ${describe(b)} have no order`);
    return real(order);
  };

const functions = new Map<string, FormulaFunction>([
  ['abs', ofOne((a) => a.abs())],
  ['sign', ofOne((a) => real(a.comparedTo(0)))],
  ['floor', ofTwo(elementary.floor, 0)],
  ['ceil', ofTwo(elementary.ceil, 0)],
  ['fix', ofTwo(elementary.fix, 0)],
  ['round', ofTwo(elementary.round, 0)],
  ['square', ofOne((a) => a.times(a))],
  ['cube', ofOne((a) => a.times(a).times(a))],
  ['sqrt', ofOne(elementary.sqrt)],
  ['cbrt', ofOne(elementary.cbrt)],
  ['exp', ofOne(elementary.exp)],
  [
    'log',
    {
      takes: [1, 2],
      apply: (args, work) => (args.length === 1 ? ofOne(elementary.ln) : ofTwo(elementary.log)).apply(args, work),
    },
  ],
  ['log10', ofOne((a, work) => elementary.log(a, real(10), work))],
  ['log2', ofOne((a, work) => elementary.log(a, real(2), work))],
  ['number', ofOne((a) => a)],
  ['unaryMinus', ofOne((a) => a.negated())],
  ['unaryPlus', ofOne((a) => a)],
  ['add', operator('add', MANY)],
  ['subtract', operator('subtract')],
  ['multiply', operator('multiply', MANY)],
  ['divide', operator('divide')],
  ['mod', operator('mod')],
  ['pow', operator('pow')],
  ['dotMultiply', operator('dotMultiply')],
  ['dotDivide', operator('dotDivide')],
  ['dotPow', operator('dotPow')],
  ['equal', comparison('equal')],
  ['unequal', comparison('unequal')],
  ['smaller', comparison('smaller')],
  ['smallerEq', comparison('smallerEq')],
  ['larger', comparison('larger')],
  ['largerEq', comparison('largerEq')],
  ['and', logical(2, ([a, b]) => a === true && b === true)],
  ['or', logical(2, ([a, b]) => a === true || b === true)],
  ['xor', logical(2, ([a, b]) => a !== b)],
  ['not', logical(1, ([a]) => a !== true)],
  ['compare', { takes: [2, 2], apply: ([a = null, b = null], work) => eachPair(a, b, work, orderOf(work)) }],
  ['compareText', ofTexts((a, b) => real(compareTexts(a, b)))],
  ['equalText', ofTexts((a, b) => a === b)],
  ['string', { takes: [1, 1], apply: ([a = null], work) => each(a, work, textOf) }],
  list('sum'),
  list('prod'),
  list('min'),
  list('max'),
  list('mean'),
  list('median'),
  list('variance'),
  [
    'std',
    { takes: [1, MANY], apply: (args, work) => elementary.sqrt(toNumber(listFunctions.variance(args, work)), work) },
  ],
  list('count', [1, 1]),
  list('size', [1, 1]),
  list('sort', [1, 2]),
  list('setDistinct', [1, 1]),
  list('concat'),
  list('isNumeric', [1, 1]),
  ...scientificFunctions,
  ...spreadsheetFunctions,
]);

/** Whether the name has a meaning unless the scope has a field of that name. */
export const isBuiltIn = (name: string): boolean => functions.has(name) || isConstantName(name);

export const isFunctionName = (name: string): boolean => functions.has(name);

export const functionNames: readonly string[] = [...functions.keys()];

/** `undefined` where there is no such function. */
export function functionNamed(name: string): Callable | undefined {
  const definition = functions.get(name);
  if (definition === undefined) return undefined;
  const [fewest, most] = definition.takes;
  return new Callable(name, (args, work) => {
    if (args.length < fewest || args.length > most) {
      const wanted = fewest === most ? String(fewest) : `${String(fewest)} or more`;
      throw new FormulaError(`The function "${name}" takes ${wanted} arguments, not ${String(args.length)}`);
    }
    work.spend(1);
    return definition.apply(args, work);
  });
}
