/** Visibility formulas as conditions of JSON Schema, and the way back. */
import { comparison, type Condition } from '@blockwork/contract/schema-model';
import { FormulaError, type CellReference, type Formula } from './formula.js';
import type { KeyReader } from './expression.js';

/** @throws FormulaError */
export function conditionOf(formula: Formula, key: KeyReader): Condition {
  const part = (each: Formula): Condition => conditionOf(each, key);
  if (formula.kind === 'binary') {
    const { operator, left, right } = formula;
    if (operator === '=') return equal(left, right, key);
    if (operator === '<>') return { kind: 'not', of: equal(left, right, key) };
    throw new FormulaError(`"${operator}" cannot be a condition: only = and <> can`);
  }
  if (formula.kind !== 'call') throw new FormulaError('it is no condition');
  const [first, second] = formula.arguments;
  switch (formula.name) {
    case 'EXACT':
      return equal(first, second, key);
    case 'NOT': {
      if (first === undefined) throw new FormulaError('NOT has no condition');
      const inner = part(first);
      return inner.kind === 'not' ? inner.of : { kind: 'not', of: inner };
    }
    case 'AND':
      return { kind: 'all', of: formula.arguments.map(part) };
    case 'OR':
      return { kind: 'any', of: formula.arguments.map(part) };
    default:
      throw new FormulaError(`the function ${formula.name} cannot be a condition: EXACT, NOT, AND and OR can`);
  }
}

function equal(left: Formula | undefined, right: Formula | undefined, key: KeyReader): Condition {
  const cell = [left, right].find((each): each is CellReference => each?.kind === 'cell');
  const value = [left, right].find((each) => each?.kind === 'value');
  if (cell === undefined || value?.kind !== 'value') throw new FormulaError('a test compares a cell with a constant');
  return comparison(key(cell), value.value);
}

/** `undefined` for what has no formula. `address` is that of the cell with the answer to the field. */
export function formulaOf(condition: Condition, address: (key: string) => string | undefined): string | undefined {
  switch (condition.kind) {
    case 'is': {
      const [field = '', ...below] = condition.path;
      const cell = below.length > 0 || condition.of !== undefined ? undefined : address(field);
      const value =
        typeof condition.value === 'string'
          ? `"${condition.value.replaceAll('"', '""')}"`
          : String(condition.value).toUpperCase();
      return cell && `EXACT(${cell},${value})`;
    }
    case 'not': {
      const inner = formulaOf(condition.of, address);
      return inner && `NOT(${inner})`;
    }
    default: {
      const parts = condition.of.map((each) => formulaOf(each, address));
      if (parts.some((each) => each === undefined)) return undefined;
      return `${condition.kind === 'all' ? 'AND' : 'OR'}(${parts.join(',')})`;
    }
  }
}
