/** Functions of lists. Where one list is awaited, several values, or one alone, will do as well. */
import { calculate } from './arithmetic.js';
import { compareTexts, ordered } from './comparison.js';
import { FormulaError } from './formula-error.js';
import { formulaLimits } from './limits.js';
import { decimal, type Decimal } from './mathjs.js';
import { bounded, numberIn, toNumber } from './numbers.js';
import { Callable, described, isList, isNumber, type Value } from './values.js';
import type { Work } from './work.js';

/** All elements, at whatever level. */
function flat(args: readonly Value[], work: Work): Value[] {
  const [first] = args;
  // With more than a list, mathjs takes the rest for dimensions: better refused than summed up.
  if (isList(first ?? null) && args.length > 1) throw new FormulaError('After a list nothing else can follow');
  const out: Value[] = [];
  const add = (value: Value): void => {
    if (isList(value)) work.nested(() => value.forEach(add));
    else out.push(value);
  };
  args.forEach(add);
  work.spend(out.length);
  return out;
}

function numbers(args: readonly Value[], work: Work): [Decimal, ...Decimal[]] {
  const [first, ...rest] = flat(args, work).map(toNumber);
  if (first === undefined) throw new FormulaError('The list is empty');
  return [first, ...rest];
}

const sumOf = (all: readonly Decimal[]): Decimal => all.reduce((sum, each) => bounded(sum.plus(each)), decimal(0));
const ascending = (all: readonly Decimal[]): Decimal[] => [...all].sort((a, b) => a.comparedTo(b));

function median(args: readonly Value[], work: Work): Decimal {
  const all = ascending(numbers(args, work));
  const middle = all.slice(Math.ceil(all.length / 2) - 1, Math.floor(all.length / 2) + 1);
  return sumOf(middle).dividedBy(middle.length);
}

function variance(args: readonly Value[], work: Work): Decimal {
  const all = numbers(args, work);
  if (all.length === 1) return decimal(0);
  const mean = sumOf(all).dividedBy(all.length);
  work.spend(2 * all.length);
  return bounded(sumOf(all.map((each) => bounded(each.minus(mean).pow(2)))).dividedBy(all.length - 1));
}

/** Numbers before texts; digits within texts by their value, so that "b9" is before "b10". */
function naturally(a: Value, b: Value): number {
  if (isNumber(a) && isNumber(b)) return a.comparedTo(b);
  if (typeof a !== 'string' || typeof b !== 'string') {
    const [x, y] = [described(a), described(b)];
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
  if (how !== 'asc' && how !== 'desc') throw new FormulaError(`Lists cannot be sorted by ${described(how)}`);
  return (a, b) => {
    const order = ordered(a, b, work);
    if (order === undefined) throw new FormulaError(`${described(a)} and ${described(b)} have no order`);
    return how === 'asc' ? order : -order;
  };
}

function weigh(value: Value, work: Work): void {
  work.spend(1 + (typeof value === 'string' ? value.length / 10 : 0));
}

function sort([list = null, how = 'asc']: readonly Value[], work: Work): Value {
  if (!isList(list)) throw new FormulaError(`${described(list)} cannot be sorted; only a list can`);
  return [...list].sort(sorting(how, work));
}

/** In natural order, each once. */
function setDistinct(args: readonly Value[], work: Work): Value {
  const inOrder = sort([flat(args, work), 'natural'], work) as readonly Value[];
  return inOrder.filter((value, i) => i === 0 || naturally(value, inOrder[i - 1] ?? null) !== 0);
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
    ? [decimal(value.length), ...sizes(value[0] ?? null)]
    : typeof value === 'string'
      ? [decimal(value.length)]
      : [];

/** Counts a text's characters, and all elements of a list. */
function count([value = null]: readonly Value[], work: Work): Value {
  return decimal(typeof value === 'string' ? value.length : flat([value], work).length);
}

function extreme(args: readonly Value[], work: Work, wanted: 1 | -1): Value {
  return numbers(args, work).reduce((best, each) => (each.comparedTo(best) === wanted ? each : best));
}

export const listFunctions = {
  sum: (args: readonly Value[], work: Work): Value => sumOf(numbers(args, work)),
  prod: (args: readonly Value[], work: Work): Value =>
    numbers(args, work).reduce<Value>((product, each) => calculate('multiply', product, each, work), decimal(1)),
  min: (args: readonly Value[], work: Work): Value => extreme(args, work, -1),
  max: (args: readonly Value[], work: Work): Value => extreme(args, work, 1),
  mean: (args: readonly Value[], work: Work): Value => {
    const all = numbers(args, work);
    return sumOf(all).dividedBy(all.length);
  },
  median,
  variance,
  count,
  /** Of each dimension: a list of 3 has the size [3]. */
  size: ([value = null]: readonly Value[]): Value => sizes(value),
  sort,
  setDistinct,
  concat,
  isNumeric: ([value = null]: readonly Value[]): Value => numberIn(value) !== undefined,
};
