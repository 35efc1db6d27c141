/** Functions that make lists. Each counts the elements before it makes them. */
import { calculate } from './arithmetic.js';
import { flat } from './flat.js';
import { FormulaError } from '../formula-error.js';
import {
  bounded,
  describe,
  isList,
  real,
  toInteger,
  toNumber,
  type Real,
  type Value,
  type Work,
} from '../values/index.js';

function dimension(value: Value): number {
  const length = toInteger(value);
  if (length < 0) throw new FormulaError(`${describe(value)} is no length of a list`);
  return length;
}

/** A list for each dimension: `zeros(2, 3)` has two lists of three, `zeros([2, 3])` the same. */
export const filled =
  (with_: number) =>
  (args: readonly Value[], work: Work): Value => {
    const [first = null] = args;
    const lengths = (isList(first) && args.length === 1 ? first : args).map(dimension);
    const make = ([length = 0, ...rest]: readonly number[]): Value => {
      work.listOf(length);
      if (rest.length === 0) return Array<Value>(length).fill(real(with_));
      return work.nested(() => Array.from({ length }, () => make(rest)));
    };
    return make(lengths);
  };

/** From `first` by steps of `by` to `last`, which is one of them if it is reached and wanted. */
export function stepped(first: Real, last: Real, by: Real, work: Work, withLast = true): Value {
  if (by.isZero()) throw new FormulaError('A range cannot go by steps of 0');
  const steps = last.minus(first).dividedBy(by);
  const length = steps.floor().plus(real(1));
  const wanted = !withLast && steps.isInteger() ? length.minus(real(1)) : length;
  if (wanted.lte(0)) return [];
  const count = work.listOf(wanted.toNumber());
  return Array.from({ length: count }, (_, i) => bounded(first.plus(by.times(real(i)))));
}

/** As in formulas of mathjs, the end is part of the range unless a last `false` says that it is not. */
export function range(args: readonly Value[], work: Work): Value {
  const last = args.at(-1);
  const bounds = typeof last === 'boolean' ? args.slice(0, -1) : args;
  const [from, to, by] = bounds.map(toNumber);
  if (from === undefined || to === undefined || bounds.length > 3) {
    throw new FormulaError('A range has a start, an end, and perhaps a step');
  }
  return stepped(from, to, by ?? real(1), work, last !== false);
}

/** The sum of each element and all before it. */
export function cumulative(args: readonly Value[], work: Work): Value {
  let sum: Value = real(0);
  return flat(args, work).map((each) => (sum = calculate('add', sum, toNumber(each), work)));
}

/** What each element adds to the one before it. */
export function differences(args: readonly Value[], work: Work): Value {
  const all = flat(args, work);
  return all.slice(1).map((each, i) => calculate('subtract', toNumber(each), toNumber(all[i] ?? null), work));
}

export const flattened = (args: readonly Value[], work: Work): Value => flat(args, work);

export function transposed([rows = null]: readonly Value[], work: Work): Value {
  if (!isList(rows)) throw new FormulaError(`${describe(rows)} is not a list`);
  if (!rows.some(isList)) return rows;
  const [first] = rows;
  return (isList(first ?? null) ? (first as readonly Value[]) : []).map((_, column) => {
    work.spend(rows.length);
    return rows.map((row) => {
      const value = isList(row) ? row[column] : undefined;
      if (value === undefined) throw new FormulaError('The lists in a list are not of one length');
      return value;
    });
  });
}
