/** Functions of lists. Most take a list, several values, or a single value. */
import { calculate } from './arithmetic.js';
import { flat } from './flat.js';
import { setDistinct, sort } from './sorting.js';
import { FormulaError } from '../formula-error.js';
import { formulaLimits } from '../limits.js';
import { bounded, real, isList, numberIn, toNumber, type Real, type Value, type Work } from '../values/index.js';

function numbers(args: readonly Value[], work: Work): [Real, ...Real[]] {
  const [first, ...rest] = flat(args, work).map(toNumber);
  if (first === undefined) throw new FormulaError('The list is empty');
  return [first, ...rest];
}

const sumOf = (all: readonly Real[], work: Work): Real =>
  all.reduce((sum, each) => calculate('add', sum, each, work) as Real, real(0));
const ascending = (all: readonly Real[]): Real[] => [...all].sort((a, b) => a.comparedTo(b));

function median(args: readonly Value[], work: Work): Real {
  const all = ascending(numbers(args, work));
  const middle = all.slice(Math.ceil(all.length / 2) - 1, Math.floor(all.length / 2) + 1);
  return sumOf(middle, work).dividedBy(middle.length);
}

function variance(args: readonly Value[], work: Work): Real {
  const all = numbers(args, work);
  if (all.length === 1) return real(0);
  const mean = sumOf(all, work).dividedBy(all.length);
  work.spend(2 * all.length);
  const squares = all.map((each) => {
    const distance = each.minus(mean);
    return bounded(distance.times(distance));
  });
  return bounded(sumOf(squares, work).dividedBy(all.length - 1));
}

function concat(args: readonly Value[], work: Work): Value {
  if (args.every((value) => typeof value === 'string')) {
    const length = args.reduce((sum, value) => sum + value.length, 0);
    if (length > formulaLimits.textLength) throw new FormulaError('A text is too long');
    work.spend(1 + length / 100);
    return args.join('');
  }
  if (!args.every(isList)) throw new FormulaError('Only texts, or only lists, can be put together');
  const length = args.reduce((sum, value) => sum + value.length, 0);
  if (length > formulaLimits.elements) throw new FormulaError('A list is too long');
  work.spend(length);
  return args.flat();
}

const sizes = (value: Value): Value[] =>
  isList(value)
    ? [real(value.length), ...sizes(value[0] ?? null)]
    : typeof value === 'string'
      ? [real(value.length)]
      : [];

/** The characters of a text, or all elements of a list. */
function count([value = null]: readonly Value[], work: Work): Value {
  return real(typeof value === 'string' ? value.length : flat([value], work).length);
}

function extreme(args: readonly Value[], work: Work, wanted: 1 | -1): Value {
  return numbers(args, work).reduce((best, each) => (each.comparedTo(best) === wanted ? each : best));
}

export const listFunctions = {
  /** The sum of nothing is 0, as in the reference; the product or the mean of nothing is an error. */
  sum: (args: readonly Value[], work: Work): Value => sumOf(flat(args, work).map(toNumber), work),
  prod: (args: readonly Value[], work: Work): Value =>
    numbers(args, work).reduce<Value>((product, each) => calculate('multiply', product, each, work), real(1)),
  min: (args: readonly Value[], work: Work): Value => extreme(args, work, -1),
  max: (args: readonly Value[], work: Work): Value => extreme(args, work, 1),
  mean: (args: readonly Value[], work: Work): Value => {
    const all = numbers(args, work);
    return sumOf(all, work).dividedBy(all.length);
  },
  median,
  variance,
  count,
  /** The length of each dimension: a list of 3 has the size [3]. */
  size: ([value = null]: readonly Value[]): Value => sizes(value),
  sort,
  setDistinct,
  concat,
  isNumeric: ([value = null]: readonly Value[]): Value => numberIn(value) !== undefined,
};
