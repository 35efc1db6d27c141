/** Calculates formulas from the values of cells, to compare with the results that a workbook stores. */
import { columnIndex, columnName } from '../workbook/workbook.js';
import { FormulaError, type BinaryOperator, type CellReference, type Formula } from './formula.js';

export type Value = number | string | boolean | undefined;

/** `undefined` for an empty cell. */
export type CellReader = (cell: CellReference) => Value;

const MOST_CELLS = 10_000;

/** @throws FormulaError for what has no result, such as a division by zero. */
export function evaluate(formula: Formula, read: CellReader): Value {
  const value = (part: Formula | undefined): Value => (part === undefined ? undefined : evaluate(part, read));
  switch (formula.kind) {
    case 'value':
      return formula.value;
    case 'cell':
      return read(formula);
    case 'range':
      throw new FormulaError('a range stands where one value is expected');
    case 'unary': {
      const operand = toNumber(value(formula.operand));
      return formula.operator === '-' ? -operand : formula.operator === '%' ? operand / 100 : operand;
    }
    case 'binary':
      return binary(formula.operator, value(formula.left), value(formula.right));
    case 'call':
      return call(formula.name, formula.arguments, read);
  }
}

function binary(operator: BinaryOperator, left: Value, right: Value): Value {
  switch (operator) {
    case '&':
      return toText(left) + toText(right);
    case '+':
      return toNumber(left) + toNumber(right);
    case '-':
      return toNumber(left) - toNumber(right);
    case '*':
      return toNumber(left) * toNumber(right);
    case '/':
      return finite(toNumber(left) / toNumber(right), 'it divides by zero');
    case '^':
      return finite(toNumber(left) ** toNumber(right), 'a power has no result');
    default: {
      const order = compare(left, right);
      const results = {
        '=': order === 0,
        '<>': order !== 0,
        '<': order < 0,
        '<=': order <= 0,
        '>': order > 0,
        '>=': order >= 0,
      };
      return results[operator];
    }
  }
}

/** Numbers come before texts, texts before booleans; texts are compared without case. */
function compare(left: Value, right: Value): number {
  const empty = (other: Value): Value => (typeof other === 'string' ? '' : typeof other === 'boolean' ? false : 0);
  const [a, b] = [left ?? empty(right), right ?? empty(left)];
  const rank = (each: Value): number => ['number', 'string', 'boolean'].indexOf(typeof each);
  if (typeof a !== typeof b) return rank(a) - rank(b);
  const [x, y] = typeof a === 'string' ? [a.toLowerCase(), String(b).toLowerCase()] : [Number(a), Number(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

const calls: Readonly<Record<string, (values: readonly Value[]) => Value>> = {
  ABS: ([x]) => Math.abs(toNumber(x)),
  AVERAGE: (all) => finite(sum(all) / numbers(all).length, 'an average has no numbers'),
  CONCAT: (all) => all.map(toText).join(''),
  CONCATENATE: (all) => all.map(toText).join(''),
  EXACT: ([a, b]) => toText(a) === toText(b),
  EXP: ([x]) => Math.exp(toNumber(x)),
  INT: ([x]) => Math.floor(toNumber(x)),
  LEN: ([x]) => toText(x).length,
  LN: ([x]) => finite(Math.log(toNumber(x)), 'a logarithm has no result'),
  LOG10: ([x]) => finite(Math.log10(toNumber(x)), 'a logarithm has no result'),
  MAX: (all) => numbers(all).reduce((a, b) => Math.max(a, b), -Infinity),
  MIN: (all) => numbers(all).reduce((a, b) => Math.min(a, b), Infinity),
  MOD: ([x, y]) => finite(toNumber(x) - toNumber(y) * Math.floor(toNumber(x) / toNumber(y)), 'it divides by zero'),
  NOT: ([x]) => !toBoolean(x),
  OR: (all) => all.some(toBoolean),
  AND: (all) => all.every(toBoolean),
  PI: () => Math.PI,
  POWER: ([x, y]) => finite(toNumber(x) ** toNumber(y), 'a power has no result'),
  PRODUCT: (all) => numbers(all).reduce((a, b) => a * b, 1),
  ROUND: ([x, digits]) => rounded(toNumber(x), toNumber(digits)),
  SQRT: ([x]) => finite(Math.sqrt(toNumber(x)), 'a root has no result'),
  SUM: (all) => sum(all),
};

/** Away from zero at the half, of the decimal number that is shown. */
function rounded(value: number, digits: number): number {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const shifted = Math.round(Number(`${mantissa}e${String(Number(exponent) + digits)}`));
  return Math.sign(value) * Number(`${String(shifted)}e${String(-digits)}`);
}

/** Results other than these change by themselves, or reach for other places. */
export const isFunction = (name: string): boolean => name === 'IF' || Object.hasOwn(calls, name);

function call(name: string, args: readonly Formula[], read: CellReader): Value {
  const [test, yes, no] = args;
  if (name === 'IF' && test !== undefined) {
    const chosen = toBoolean(evaluate(test, read)) ? yes : no;
    return chosen === undefined ? toBoolean(evaluate(test, read)) : evaluate(chosen, read);
  }
  const run = Object.hasOwn(calls, name) ? calls[name] : undefined;
  if (run === undefined) throw new FormulaError(`the function ${name} is not supported`);
  return run(args.flatMap((part) => (part.kind === 'range' ? cellsOf(part).map(read) : [evaluate(part, read)])));
}

/** Row by row. */
export function cellsOf({ from, to }: Extract<Formula, { kind: 'range' }>): CellReference[] {
  const [left, right] = [columnIndex(from.column), columnIndex(to.column)].sort((a, b) => a - b);
  const [top, bottom] = [from.row, to.row].sort((a, b) => a - b);
  const cells: CellReference[] = [];
  for (let row = top ?? 0; row <= (bottom ?? 0); row += 1) {
    for (let column = left ?? 0; column <= (right ?? 0); column += 1) {
      if (cells.length >= MOST_CELLS) throw new FormulaError(`a range has more than ${String(MOST_CELLS)} cells`);
      cells.push({ ...from, column: columnName(column), row });
    }
  }
  return cells;
}

function toNumber(value: Value): number {
  if (value === undefined) return 0;
  const number = typeof value === 'string' ? (value.trim() === '' ? NaN : Number(value)) : Number(value);
  if (Number.isNaN(number)) throw new FormulaError(`"${String(value)}" is no number`);
  return number;
}

function toBoolean(value: Value): boolean {
  if (typeof value !== 'string') return Boolean(value);
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw new FormulaError(`"${value}" is neither true nor false`);
}

const toText = (value: Value): string =>
  typeof value === 'boolean' ? String(value).toUpperCase() : value === undefined ? '' : String(value);
const numbers = (values: readonly Value[]): number[] => values.filter((value) => typeof value === 'number');
const sum = (values: readonly Value[]): number => numbers(values).reduce((a, b) => a + b, 0);

function finite(value: number, reason: string): number {
  if (!Number.isFinite(value)) throw new FormulaError(reason);
  return value;
}
