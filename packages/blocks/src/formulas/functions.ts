/** The functions and constants that formulas can name. */
import { calculate } from './arithmetic.js';
import { compare, compareTexts, isTrue, ordered, weighTexts } from './comparison.js';
import { elementary } from './elementary.js';
import { each, eachPair } from './elementwise.js';
import { FormulaError } from './formula-error.js';
import { listFunctions } from './list-functions.js';
import { decimal, type Decimal } from './mathjs.js';
import { bounded, toNumber } from './numbers.js';
import type { Arithmetic, Comparison } from './syntax.js';
import { Callable, described, isNumber, type Value } from './values.js';
import type { Work } from './work.js';

interface FormulaFunction {
  /** Fewest and most arguments. */
  readonly takes: readonly [number, number];
  readonly apply: (args: readonly Value[], work: Work) => Value;
}

const MANY = Number.POSITIVE_INFINITY;

const ofOne = (apply: (a: Decimal, work: Work) => Decimal): FormulaFunction => ({
  takes: [1, 1],
  apply: ([a = null], work) =>
    each(a, work, (value) => {
      work.spend(1);
      return bounded(apply(toNumber(value), work));
    }),
});

/** The second number may be left out. */
const ofTwo = (apply: (a: Decimal, b: Decimal, work: Work) => Decimal, otherwise?: number): FormulaFunction => ({
  takes: [otherwise === undefined ? 2 : 1, 2],
  apply: ([a = null, b = decimal(otherwise ?? 0)], work) =>
    eachPair(a, b, work, (x, y) => {
      work.spend(1);
      return bounded(apply(toNumber(x), toNumber(y), work));
    }),
});

const operator = (name: Arithmetic, most = 2): FormulaFunction => ({
  takes: [2, most],
  apply: ([first = null, ...rest], work) => rest.reduce((a, b) => calculate(name, a, b, work), first),
});

const comparison = (name: Comparison): FormulaFunction => ({
  takes: [2, 2],
  apply: ([a = null, b = null], work) => compare(name, a, b, work),
});

const ofTexts = (apply: (a: string, b: string) => Value): FormulaFunction => ({
  takes: [2, 2],
  apply: ([a = null, b = null], work) =>
    eachPair(a, b, work, (x, y) => {
      weighTexts(x, y, work);
      if (typeof x !== 'string' || typeof y !== 'string') {
        throw new FormulaError(`${described(typeof x === 'string' ? y : x)} is not a text`);
      }
      return apply(x, y);
    }),
});

const logical = (takes: number, apply: (args: readonly boolean[]) => boolean): FormulaFunction => ({
  takes: [takes, takes],
  apply: (args) => apply(args.map(isTrue)),
});

const list = (
  name: keyof typeof listFunctions,
  takes: readonly [number, number] = [1, MANY],
): [string, FormulaFunction] => [name, { takes, apply: listFunctions[name] }];

const functions = new Map<string, FormulaFunction>([
  ['abs', ofOne((a) => a.abs())],
  ['sign', ofOne((a) => decimal(a.comparedTo(0)))],
  ['floor', ofOne((a) => a.floor())],
  ['ceil', ofOne((a) => a.ceil())],
  ['fix', ofOne((a) => a.trunc())],
  ['round', ofTwo(elementary.round, 0)],
  ['square', ofOne((a) => a.times(a))],
  ['cube', ofOne((a) => a.times(a).times(a))],
  ['sqrt', ofOne(elementary.sqrt)],
  ['cbrt', ofOne(elementary.cbrt)],
  ['exp', ofOne(elementary.exp)],
  [
    'log',
    {
      takes: [1, 2],
      apply: (args, work) => (args.length === 1 ? ofOne(elementary.ln) : ofTwo(elementary.log)).apply(args, work),
    },
  ],
  ['log10', ofOne((a, work) => elementary.log(a, decimal(10), work))],
  ['log2', ofOne((a, work) => elementary.log(a, decimal(2), work))],
  ['number', ofOne((a) => a)],
  ['unaryMinus', ofOne((a) => a.negated())],
  ['unaryPlus', ofOne((a) => a)],
  ['add', operator('add', MANY)],
  ['subtract', operator('subtract')],
  ['multiply', operator('multiply', MANY)],
  ['divide', operator('divide')],
  ['mod', operator('mod')],
  ['pow', operator('pow')],
  ['dotMultiply', operator('dotMultiply')],
  ['dotDivide', operator('dotDivide')],
  ['dotPow', operator('dotPow')],
  ['equal', comparison('equal')],
  ['unequal', comparison('unequal')],
  ['smaller', comparison('smaller')],
  ['smallerEq', comparison('smallerEq')],
  ['larger', comparison('larger')],
  ['largerEq', comparison('largerEq')],
  ['and', logical(2, ([a, b]) => a === true && b === true)],
  ['or', logical(2, ([a, b]) => a === true || b === true)],
  ['xor', logical(2, ([a, b]) => a !== b)],
  ['not', logical(1, ([a]) => a !== true)],
  ['compare', { takes: [2, 2], apply: ([a = null, b = null], work) => eachPair(a, b, work, orderOf(work)) }],
  ['compareText', ofTexts((a, b) => decimal(compareTexts(a, b)))],
  ['equalText', ofTexts((a, b) => a === b)],
  ['string', { takes: [1, 1], apply: ([a = null], work) => each(a, work, textOf) }],
  list('sum'),
  list('prod'),
  list('min'),
  list('max'),
  list('mean'),
  list('median'),
  list('variance'),
  [
    'std',
    { takes: [1, MANY], apply: (args, work) => elementary.sqrt(toNumber(listFunctions.variance(args, work)), work) },
  ],
  list('count', [1, 1]),
  list('size', [1, 1]),
  list('sort', [1, 2]),
  list('setDistinct', [1, 1]),
  list('concat'),
  list('isNumeric', [1, 1]),
]);

const orderOf =
  (work: Work) =>
  (a: Value, b: Value): Value => {
    const order = ordered(a, b, work);
    if (order === undefined) throw new FormulaError(`${described(a)} and ${described(b)} have no order`);
    return decimal(order);
  };

function textOf(value: Value): Value {
  if (typeof value === 'string') return value;
  if (isNumber(value) || typeof value === 'boolean') return String(value);
  throw new FormulaError(`${described(value)} cannot be made a text`);
}

const constants = new Map([
  ['pi', '3.141592653589793238462643383279502884197169399375105820974944592'],
  ['e', '2.718281828459045235360287471352662497757247093699959574966967628'],
]);

export function constantNamed(name: string): Decimal | undefined {
  const digits = constants.get(name);
  return digits === undefined ? undefined : decimal(digits);
}

/** Whether the name means something where no field is called so. */
export const isBuiltIn = (name: string): boolean => functions.has(name) || constants.has(name);

export const isFunctionName = (name: string): boolean => functions.has(name);

export const functionNames: readonly string[] = [...functions.keys()];

/** `undefined` for a name that is none. */
export function functionNamed(name: string): Callable | undefined {
  const found = functions.get(name);
  if (found === undefined) return undefined;
  const [fewest, most] = found.takes;
  return new Callable(name, (args, work) => {
    if (args.length < fewest || args.length > most) {
      const wanted = fewest === most ? String(fewest) : `${String(fewest)} or more`;
      throw new FormulaError(`The function "${name}" takes ${wanted} arguments, not ${String(args.length)}`);
    }
    work.spend(1);
    return found.apply(args, work);
  });
}
