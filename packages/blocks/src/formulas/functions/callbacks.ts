/** Functions that apply another function to the elements of lists. */
import { isTrue } from './comparison.js';
import { FormulaError } from '../formula-error.js';
import { Callable, describe, isList, real, type Value, type Work } from '../values/index.js';

function callback(value: Value): Callable {
  if (!(value instanceof Callable)) throw new FormulaError(`${describe(value)} is not a function`);
  return value;
}

/** As many of element, position and list as the function takes; a function of formulas takes the element. */
function applied(to: Callable, values: readonly Value[], place: readonly number[], list: Value, work: Work): Value {
  const position = place.map((at) => real(at));
  return to.invoke([...values, position, list].slice(0, to.parameters ?? values.length), work);
}

/** Elements of nested lists, too; several lists go together element by element. */
export function map(args: readonly Value[], work: Work): Value {
  const apply = callback(args.at(-1) ?? null);
  const lists = args.slice(0, -1);
  const [whole = null] = lists;
  const through = (values: readonly Value[], place: readonly number[]): Value => {
    const [first = null] = values;
    work.spend(1);
    if (!isList(first)) return applied(apply, values, place, whole, work);
    if (values.some((each) => !isList(each) || each.length !== first.length)) {
      throw new FormulaError('Lists of different lengths do not go together');
    }
    return work.nested(() =>
      first.map((_, i) =>
        through(
          values.map((each) => (isList(each) ? (each[i] ?? null) : each)),
          [...place, i + 1],
        ),
      ),
    );
  };
  if (!lists.every(isList)) throw new FormulaError(`${describe(whole)} is not a list`);
  return through(lists, []);
}

/** Its value is nothing: the function is called for its failures. */
export function forEach(args: readonly Value[], work: Work): Value {
  map(args, work);
  return null;
}

export function filter([list = null, test = null]: readonly Value[], work: Work): Value {
  if (!isList(list)) throw new FormulaError(`${describe(list)} is not a list`);
  const isWanted = callback(test);
  return list.filter((each, i) => {
    work.spend(1);
    return isTrue(applied(isWanted, [each], [i + 1], list, work));
  });
}
