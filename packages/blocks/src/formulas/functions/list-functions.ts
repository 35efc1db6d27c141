/** Functions of lists. Most take a list, several values, or a single value. */
import { FormulaError } from '../formula-error.js';
import { Callable, describe, isList, isNumber, real, toNumber, type Value, type Work } from '../values/index.js';
import { calculate } from './arithmetic.js';
import { compareTexts, ordered } from './comparison.js';
import { each } from './elementwise.js';
import { flat } from './flat.js';
import { mean, median, numbers, sumOf, variance } from './statistics.js';

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

/** Numbers before texts. Digits within texts compare by value, so that "b9" is before "b10". */
function naturally(a: Value, b: Value): number {
  if (isNumber(a) && isNumber(b)) return a.comparedTo(b);
  if (typeof a !== 'string' || typeof b !== 'string') {
    const [x, y] = [describe(a), describe(b)];
    return isNumber(a) ? -1 : isNumber(b) ? 1 : compareTexts(x, y);
  }
  const [p, q] = [a.split(/(\d+)/), b.split(/(\d+)/)];
  for (let i = 0; i < Math.min(p.length, q.length); i += 1) {
    const [m, n] = [p[i] ?? '', q[i] ?? ''];
    if (m === n) continue;
    if (i % 2 === 0) return compareTexts(m, n);
    const [v, w] = [m.replace(/^0+/, ''), n.replace(/^0+/, '')];
    return v.length - w.length || compareTexts(v, w) || m.length - n.length;
  }
  return p.length - q.length;
}

function sorting(how: Value, work: Work): (a: Value, b: Value) => number {
  if (how instanceof Callable) return (a, b) => toNumber(how.invoke([a, b], work)).comparedTo(0);
  if (how === 'natural') {
    return (a, b) => {
      weigh(a, work);
      weigh(b, work);
      return naturally(a, b);
    };
  }
  if (how !== 'asc' && how !== 'desc') throw new FormulaError(`Lists cannot be sorted by ${describe(how)}`);
  return (a, b) => {
    const order = ordered(a, b, work);
    if (order === undefined) throw new FormulaError(`${describe(a)} and ${describe(b)} have no order`);
    return how === 'asc' ? order : -order;
  };
}

function weigh(value: Value, work: Work): void {
  work.spend(1 + (typeof value === 'string' ? value.length / 10 : 0));
}

function sort([list = null, how = 'asc']: readonly Value[], work: Work): Value {
  if (!isList(list)) throw new FormulaError(`${describe(list)} cannot be sorted; only a list can`);
  return [...list].sort(sorting(how, work));
}

/** In natural order, without duplicates. */
function setDistinct(args: readonly Value[], work: Work): Value {
  const inOrder = sort([flat(args, work), 'natural'], work) as readonly Value[];
  return inOrder.filter((value, i) => i === 0 || naturally(value, inOrder[i - 1] ?? null) !== 0);
}
