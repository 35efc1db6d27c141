/** The table of functions of spreadsheets, by their names in capitals. Lists and single values may be mixed. */
import { calculate } from './arithmetic.js';
import { isTrue } from './comparison.js';
import { halfTurn } from './constants.js';
import { combinations, factorial, gcd, lcm, permutations } from './counting.js';
import { elementary } from './elementary.js';
import { flat } from './flat.js';
import { MANY, ofOne, ofTwo, type FormulaFunction } from './function-kinds.js';
import { mean, median, mode, numbers, quantiles, sumOf, variance } from './statistics.js';
import { end, joined, part, placeOf, repeated, replaced, start, textOf } from './texts.js';
import { atan2, trigonometry } from './trigonometry.js';
import { FormulaError } from '../formula-error.js';
import {
  bounded,
  describe,
  isNumber,
  real,
  toInteger,
  toNumber,
  type Real,
  type Value,
  type Work,
} from '../values/index.js';

type Apply = FormulaFunction['apply'];

const taking = (fewest: number, most: number, apply: Apply): FormulaFunction => ({ takes: [fewest, most], apply });

const allNumbers = (args: readonly Value[], work: Work): readonly [Real, ...Real[]] => numbers([args], work);

/** Of all numbers together. */
const ofAll = (apply: (all: readonly [Real, ...Real[]], work: Work) => Value): FormulaFunction =>
  taking(1, MANY, (args, work) => apply(allNumbers(args, work), work));

const total = (all: readonly Real[], work: Work): Real => sumOf(all, work);
const product = (all: readonly Real[], work: Work): Value =>
  all.reduce<Value>((result, each) => calculate('multiply', result, each, work), real(1));

const inAll = (combine: (truths: readonly boolean[]) => boolean): FormulaFunction =>
  taking(1, MANY, (args, work) => combine(flat([args], work).map(isTrue)));

/** Digits after the point, or before it if there are fewer than none. */
const PLACES_AT_MOST = 60;

const toPlaces =
  (whole: (a: Real) => Real) =>
  (a: Real, places: Real): Real => {
    const count = toInteger(places);
    if (Math.abs(count) > PLACES_AT_MOST)
      throw new FormulaError(`A number is rounded to ${String(PLACES_AT_MOST)} places`);
    const scale = real(`1e${String(count)}`);
    return whole(a.times(scale)).dividedBy(scale);
  };
const awayFromZero = (a: Real): Real => (a.isNegative() ? a.floor() : a.ceil());

/** To a multiple of a number. */
const toMultiple =
  (whole: (a: Real) => Real) =>
  (a: Real, of: Real): Real =>
    of.isZero() ? of : whole(a.dividedBy(of)).times(of);

function remainder(a: Real, b: Real): Real {
  if (b.isZero()) throw new FormulaError('It divides by zero');
  return a.minus(b.times(a.dividedBy(b).floor()));
}

function wholeQuotient(a: Real, b: Real): Real {
  if (b.isZero()) throw new FormulaError('It divides by zero');
  return a.dividedBy(b).trunc();
}

/** The nth largest or smallest number. */
const nth = (sign: 1 | -1): FormulaFunction =>
  taking(2, 2, ([list = null, n = null], work) => {
    const all = numbers([[list]], work);
    work.spend(all.length * Math.log2(all.length + 1));
    const nth = [...all].sort((a, b) => sign * b.comparedTo(a))[toInteger(n) - 1];
    if (nth === undefined)
      throw new FormulaError(`There is no element ${describe(n)} in a list of ${String(all.length)}`);
    return nth;
  });

function shareOf(list: Value, share: Real, work: Work): Value {
  const [quantile = null] = quantiles([list, [share]], work) as readonly Value[];
  return quantile;
}

const sumOfProducts: Apply = ([first = null, ...rest], work) =>
  sumOf(flat([rest.reduce((a, b) => calculate('dotMultiply', a, b, work), first)], work).map(toNumber), work);

const deviation =
  (how: string): Apply =>
  (args, work) =>
    elementary.sqrt(variance([args, how], work), work);

const ofText = (apply: (text: string, work: Work) => Value): FormulaFunction =>
  taking(1, 1, ([value = null], work) => {
    const text = textOf(value);
    work.textOf(text.length);
    return apply(text, work);
  });

const isBlank = (value: Value): boolean => value === null || value === '';

const angles = ['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh'] as const;

export const spreadsheetFunctions: readonly (readonly [string, FormulaFunction])[] = [
  ...angles.map((name) => [name.toUpperCase(), ofOne(trigonometry[name])] as const),
  ['ATAN2', ofTwo((x, y, work) => atan2(y, x, work))],
  ['DEGREES', ofOne((a) => a.times(real(180)).dividedBy(halfTurn()))],
  ['RADIANS', ofOne((a) => a.times(halfTurn()).dividedBy(180))],
  ['PI', taking(0, 0, halfTurn)],
  ['ABS', ofOne((a) => a.abs())],
  ['SIGN', ofOne((a) => real(a.comparedTo(0)))],
  ['INT', ofOne((a) => a.floor())],
  [
    'TRUNC',
    ofTwo(
      toPlaces((a) => a.trunc()),
      0,
    ),
  ],
  [
    'ROUND',
    ofTwo(
      toPlaces((a) => a.toDecimalPlaces(0)),
      0,
    ),
  ],
  ['ROUNDUP', ofTwo(toPlaces(awayFromZero), 0)],
  [
    'ROUNDDOWN',
    ofTwo(
      toPlaces((a) => a.trunc()),
      0,
    ),
  ],
  [
    'CEILING',
    ofTwo(
      toMultiple((a) => a.ceil()),
      1,
    ),
  ],
  [
    'FLOOR',
    ofTwo(
      toMultiple((a) => a.floor()),
      1,
    ),
  ],
  ['MROUND', ofTwo(toMultiple((a) => a.toDecimalPlaces(0)))],
  ['SQRT', ofOne(elementary.sqrt)],
  ['POWER', ofTwo(elementary.pow)],
  ['EXP', ofOne(elementary.exp)],
  ['LN', ofOne(elementary.ln)],
  ['LOG', ofTwo(elementary.log, 10)],
  ['LOG10', ofOne((a, work) => elementary.log(a, real(10), work))],
  ['MOD', ofTwo(remainder)],
  ['QUOTIENT', ofTwo(wholeQuotient)],
  ['FACT', ofOne(factorial)],
  ['COMBIN', ofTwo(combinations)],
  ['PERMUT', ofTwo(permutations)],
  ['GCD', ofAll(([first, ...rest], work) => rest.reduce((a, b) => gcd(a, b, work), first))],
  ['LCM', ofAll(([first, ...rest], work) => rest.reduce((a, b) => lcm(a, b, work), first))],
  ['SUM', taking(1, MANY, (args, work) => total(flat([args], work).map(toNumber), work))],
  [
    'SUMSQ',
    ofAll((all, work) =>
      total(
        all.map((each) => bounded(each.times(each))),
        work,
      ),
    ),
  ],
  ['SUMPRODUCT', taking(1, MANY, sumOfProducts)],
  ['PRODUCT', ofAll(product)],
  ['AVERAGE', ofAll(mean)],
  ['MEDIAN', taking(1, MANY, (args, work) => median([args], work))],
  [
    'MODE',
    taking(1, MANY, (args, work) => {
      const [first] = mode([allNumbers(args, work)], work) as readonly Value[];
      return first ?? null;
    }),
  ],
  ['MIN', ofAll((all) => all.reduce((best, each) => (each.lt(best) ? each : best)))],
  ['MAX', ofAll((all) => all.reduce((best, each) => (each.gt(best) ? each : best)))],
  ['VAR', taking(1, MANY, (args, work) => variance([args, 'unbiased'], work))],
  ['VARP', taking(1, MANY, (args, work) => variance([args, 'uncorrected'], work))],
  ['STDEV', taking(1, MANY, deviation('unbiased'))],
  ['STDEVP', taking(1, MANY, deviation('uncorrected'))],
  ['LARGE', nth(1)],
  ['SMALL', nth(-1)],
  ['PERCENTILE', taking(2, 2, ([list = null, share = null], work) => shareOf(list, toNumber(share), work))],
  [
    'QUARTILE',
    taking(2, 2, ([list = null, quarter = null], work) => shareOf(list, toNumber(quarter).dividedBy(4), work)),
  ],
  ['COUNT', taking(1, MANY, (args, work) => real(flat([args], work).filter(isNumber).length))],
  ['COUNTA', taking(1, MANY, (args, work) => real(flat([args], work).filter((value) => !isBlank(value)).length))],
  ['IF', taking(2, 3, ([condition = null, yes = null, no = false]) => (isTrue(condition) ? yes : no))],
  ['AND', inAll((truths) => truths.every(Boolean))],
  ['OR', inAll((truths) => truths.some(Boolean))],
  ['XOR', inAll((truths) => truths.filter(Boolean).length % 2 === 1)],
  ['NOT', taking(1, 1, ([value = null]) => !isTrue(value))],
  ['TRUE', taking(0, 0, () => true)],
  ['FALSE', taking(0, 0, () => false)],
  ['ISNUMBER', taking(1, 1, ([value = null]) => isNumber(value))],
  ['ISBLANK', taking(1, 1, ([value = null]) => value === null)],
  ['VALUE', ofOne((a) => a)],
  ['CONCATENATE', taking(1, MANY, (args, work) => joined(flat([args], work), work))],
  ['CONCAT', taking(1, MANY, (args, work) => joined(flat([args], work), work))],
  [
    'TEXTJOIN',
    taking(3, MANY, ([between = null, skipsBlank = null, ...parts], work) => {
      const all = flat([parts], work);
      return joined(isTrue(skipsBlank) ? all.filter((value) => !isBlank(value)) : all, work, textOf(between));
    }),
  ],
  ['LEN', ofText((text) => real(text.length))],
  ['UPPER', ofText((text) => text.toUpperCase())],
  ['LOWER', ofText((text) => text.toLowerCase())],
  ['TRIM', ofText((text) => text.trim().replace(/ {2,}/g, ' '))],
  ['LEFT', taking(1, 2, ([value = null, length = real(1)]) => start(value, length))],
  ['RIGHT', taking(1, 2, ([value = null, length = real(1)]) => end(value, length))],
  ['MID', taking(3, 3, ([value = null, first = null, length = null]) => part(value, first, length))],
  ['REPT', taking(2, 2, ([value = null, times = null], work) => repeated(value, times, work))],
  ['SUBSTITUTE', taking(3, 3, ([value = null, old = null, by = null], work) => replaced(value, old, by, work))],
  ['EXACT', taking(2, 2, ([a = null, b = null]) => textOf(a) === textOf(b))],
  [
    'FIND',
    taking(2, 3, ([sought = null, within = null, from = real(1)], work) =>
      real(placeOf(textOf(sought), textOf(within), from, work)),
    ),
  ],
  [
    'SEARCH',
    taking(2, 3, ([sought = null, within = null, from = real(1)], work) =>
      real(placeOf(textOf(sought).toLowerCase(), textOf(within).toLowerCase(), from, work)),
    ),
  ],
];
