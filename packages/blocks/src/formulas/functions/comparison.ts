/** Comparisons: numbers by value, texts by UTF-16 code units. */
import { eachPair } from './elementwise.js';
import { FormulaError } from '../formula-error.js';
import { real, describe, isList, isNumber, numberIn, type Value, type Work } from '../values/index.js';
import type { Comparison } from './operators.js';

const sign = (difference: number): -1 | 0 | 1 => (difference < 0 ? -1 : difference > 0 ? 1 : 0);

export const compareTexts = (a: string, b: string): -1 | 0 | 1 => (a < b ? -1 : a > b ? 1 : 0);

/** Numbers and numeric texts by value, other texts by code units; `undefined` where there is no order. */
export function ordered(a: Value, b: Value, work: Work): -1 | 0 | 1 | undefined {
  weighTexts(a, b, work);
  const [x, y] = [numberIn(a), numberIn(b)];
  if (x !== undefined && y !== undefined) return sign(x.comparedTo(y));
  return typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : undefined;
}

export function weighTexts(a: Value, b: Value, work: Work): void {
  work.spend(1 + ((typeof a === 'string' ? a.length : 0) + (typeof b === 'string' ? b.length : 0)) / 100);
}

const holds = (operator: Comparison, order: -1 | 0 | 1): boolean =>
  operator === 'equal'
    ? order === 0
    : operator === 'unequal'
      ? order !== 0
      : operator === 'smaller'
        ? order < 0
        : operator === 'smallerEq'
          ? order <= 0
          : operator === 'larger'
            ? order > 0
            : order >= 0;

function compareLoosely(operator: Comparison, a: Value, b: Value, work: Work): boolean {
  const order = ordered(a, b, work);
  if (order !== undefined) return holds(operator, order);
  if (operator === 'equal') return a === null && b === null;
  if (operator === 'unequal') return a !== null || b !== null;
  throw new FormulaError(`${describe(a)} and ${describe(b)} have no order`);
}

/** As JavaScript's `===`. */
function same(a: Value, b: Value): boolean {
  return isNumber(a) && isNumber(b) ? a.eq(b) : a === b;
}

/** The operand of JavaScript's `<`: a list is compared as text. */
const primitive = (value: Value): Value => (isList(value) ? value.map(textIn).join(',') : value);

function textIn(item: Value): string {
  const value = primitive(item);
  return typeof value === 'string' ? value : value === null ? '' : describe(value);
}

/** The value as a number by JavaScript's rules; `undefined` for NaN. */
function asJavaScriptNumber(value: Value): ReturnType<typeof numberIn> {
  return value === null || (typeof value === 'string' && value.trim() === '') ? real(0) : numberIn(value);
}

function compareStrictly(operator: Comparison, a: Value, b: Value, work: Work): boolean {
  weighTexts(a, b, work);
  if (operator === 'equal') return same(a, b);
  if (operator === 'unequal') return !same(a, b);
  const [x, y] = [primitive(a), primitive(b)];
  if (typeof x === 'string' && typeof y === 'string') return holds(operator, compareTexts(x, y));
  const [m, n] = [asJavaScriptNumber(x), asJavaScriptNumber(y)];
  return m !== undefined && n !== undefined && holds(operator, sign(m.comparedTo(n)));
}

/** Element by element for lists, unless comparisons are strict. */
export function compare(operator: Comparison, a: Value, b: Value, work: Work): Value {
  return work.strict
    ? compareStrictly(operator, a, b, work)
    : eachPair(a, b, work, (x, y) => compareLoosely(operator, x, y, work));
}

/** Whether a condition is met. */
export function isTrue(value: Value): boolean {
  if (isNumber(value)) return !value.isZero();
  if (typeof value === 'object' && value !== null) throw new FormulaError(`${describe(value)} is not a condition`);
  return Boolean(value);
}
