/** The arithmetic operators: exact, or to 64 digits where that is not possible. */
import { elementary } from './elementary.js';
import { eachPair } from './elementwise.js';
import { FormulaError } from '../formula-error.js';
import { bounded, isList, toNumber, type Real, type Value, type Work } from '../values/index.js';
import type { Arithmetic } from './operators.js';

/** Steps for a number that is a fraction, compared to a decimal, measured and rounded up. */
const FRACTION_COST = 20;

type OnNumbers = (a: Real, b: Real, work: Work) => Real;

const add: OnNumbers = (a, b) => a.plus(b);
const multiply: OnNumbers = (a, b) => a.times(b);
const divide: OnNumbers = (a, b) => {
  if (b.isZero()) throw new FormulaError('It divides by zero');
  return a.dividedBy(b);
};
const onNumbers: Readonly<Record<Arithmetic, OnNumbers>> = {
  add,
  subtract: (a, b) => a.minus(b),
  multiply,
  divide,
  // The result has the sign of the divisor; modulo 0 gives the number itself, as in mathjs.
  mod: (a, b) => (b.isZero() ? a : a.minus(b.times(a.dividedBy(b).floor()))),
  pow: elementary.pow,
  dotMultiply: multiply,
  dotDivide: divide,
  dotPow: elementary.pow,
};

/**
 * Applies to each element of a list, with three exceptions as in mathjs: the product of two lists is their scalar product,
 * no list can be a divisor, and `^` takes no list. `.*`, `./` and `.^` always go by elements.
 */
export function calculate(operator: Arithmetic, a: Value, b: Value, work: Work): Value {
  const onPair = (x: Value, y: Value): Value => {
    work.spend(1);
    const result = bounded(onNumbers[operator](toNumber(x), toNumber(y), work));
    if (result.isFraction) work.spend(FRACTION_COST);
    return result;
  };
  if (operator === 'multiply' && isList(a) && isList(b)) {
    const products = eachPair(a, b, work, onPair) as readonly Value[];
    if (products.some(isList)) throw new FormulaError('Lists of lists cannot be multiplied; ".*" goes by elements');
    return products.reduce((sum, product) => calculate('add', sum, product, work), toNumber(false));
  }
  if (operator === 'divide' && isList(b)) {
    throw new FormulaError('Nothing can be divided by a list; "./" goes by elements');
  }
  if (operator === 'pow' && (isList(a) || isList(b))) {
    throw new FormulaError('A list has no power; ".^" goes by elements');
  }
  return eachPair(a, b, work, onPair);
}
