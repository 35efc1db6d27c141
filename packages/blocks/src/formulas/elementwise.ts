/** Operations on numbers, done on each element where lists are given. */
import { FormulaError } from './formula-error.js';
import { isList, type Value } from './values.js';
import type { Work } from './work.js';

export function each(value: Value, work: Work, apply: (value: Value) => Value): Value {
  if (!isList(value)) return apply(value);
  return work.nested(() => value.map((item) => each(item, work, apply)));
}

/** Lists must be of one length; what is no list goes with every element. */
export function eachPair(a: Value, b: Value, work: Work, apply: (a: Value, b: Value) => Value): Value {
  if (isList(a)) {
    if (isList(b) && b.length !== a.length) {
      throw new FormulaError(`A list of ${String(a.length)} and one of ${String(b.length)} do not go together`);
    }
    return work.nested(() => a.map((item, i) => eachPair(item, isList(b) ? (b[i] ?? null) : b, work, apply)));
  }
  if (isList(b)) return work.nested(() => b.map((item) => eachPair(a, item, work, apply)));
  return apply(a, b);
}
