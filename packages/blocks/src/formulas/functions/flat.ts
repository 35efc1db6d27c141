/** The elements of a list function's arguments. */
import { FormulaError } from '../formula-error.js';
import { isList, type Value, type Work } from '../values/index.js';

/** All elements, of nested lists too. */
export function flat(args: readonly Value[], work: Work): Value[] {
  const [first] = args;
  // In mathjs, arguments after a list are dimensions, so adding them up would be wrong.
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
