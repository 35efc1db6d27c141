/** Applies operations on single values to each element of lists. */
import { FormulaError } from '../formula-error.js';
import { isList, type Value, type Work } from '../values/index.js';

export function each(value: Value, work: Work, apply: (value: Value) => Value): Value {
  if (!isList(value)) return apply(value);
  return work.nested(() => value.map((item) => each(item, work, apply)));
}

/** Two lists must have the same length; a single value is paired with every element. */
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
