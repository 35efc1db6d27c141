/** Functions of lists. Most take a list, several values, or a single value. */
import { calculate } from './arithmetic.js';
import { each } from './elementwise.js';
import { flat } from './flat.js';
import { setDistinct, sort } from './sorting.js';
import { mean, median, numbers, sumOf, variance } from './statistics.js';
import { FormulaError } from '../formula-error.js';
import { real, isList, isNumber, toNumber, type Value, type Work } from '../values/index.js';

function concat(args: readonly Value[], work: Work): Value {
  if (args.every((value) => typeof value === 'string')) {
    work.textOf(args.reduce((sum, value) => sum + value.length, 0));
    return args.join('');
  }
  if (!args.every(isList)) throw new FormulaError('Only texts, or only lists, can be put together');
  work.listOf(args.reduce((sum, value) => sum + value.length, 0));
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
  return numbers(args, work).reduce((best, next) => (next.comparedTo(best) === wanted ? next : best));
}

export const listFunctions = {
  /** The sum of nothing is 0, as in the reference; the product or the mean of nothing is an error. */
  sum: (args: readonly Value[], work: Work): Value => sumOf(flat(args, work).map(toNumber), work),
  prod: (args: readonly Value[], work: Work): Value =>
    numbers(args, work).reduce<Value>((product, next) => calculate('multiply', product, next, work), real(1)),
  min: (args: readonly Value[], work: Work): Value => extreme(args, work, -1),
  max: (args: readonly Value[], work: Work): Value => extreme(args, work, 1),
  mean: (args: readonly Value[], work: Work): Value => mean(numbers(args, work), work),
  median,
  variance,
  count,
  /** The length of each dimension: a list of 3 has the size [3]. */
  size: ([value = null]: readonly Value[]): Value => sizes(value),
  sort,
  setDistinct,
  concat,
  /** Texts that hold numbers are none, as in mathjs. */
  isNumeric: ([value = null]: readonly Value[], work: Work): Value =>
    each(value, work, (item) => isNumber(item) || typeof item === 'boolean'),
};
