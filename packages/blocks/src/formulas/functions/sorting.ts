/** Sorting of lists: by value, in natural order, or with a function of the formula. */
import { FormulaError } from '../formula-error.js';
import { Callable, describe, isList, isNumber, toNumber, type Value, type Work } from '../values/index.js';
import { compareTexts, ordered } from './comparison.js';
import { flat } from './flat.js';

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

export function sort([list = null, how = 'asc']: readonly Value[], work: Work): Value {
  if (!isList(list)) throw new FormulaError(`${describe(list)} cannot be sorted; only a list can`);
  return [...list].sort(sorting(how, work));
}

/** In natural order, without duplicates. */
export function setDistinct(args: readonly Value[], work: Work): Value {
  const inOrder = sort([flat(args, work), 'natural'], work) as readonly Value[];
  return inOrder.filter((value, i) => i === 0 || naturally(value, inOrder[i - 1] ?? null) !== 0);
}
