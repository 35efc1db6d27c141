/** Visibility formulas as conditions of JSON Schema, and the way back. */
import { FormulaError, type CellReference, type Formula } from './formula.js';
import type { KeyReader } from './expression.js';

export type Constant = string | number | boolean;

/** In the members of `if`. */
export type Condition =
  | { readonly kind: 'is'; readonly key: string; readonly value: Constant }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition };

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
  return { kind: 'is', key: key(cell), value: value.value };
}

/** As the members of `if`. Where the field is not answered, the test does not hold. */
export function keywordsOf(condition: Condition): Record<string, unknown> {
  switch (condition.kind) {
    case 'is':
      return { properties: { [condition.key]: { const: condition.value } }, required: [condition.key] };
    case 'all':
      return { allOf: condition.of.map(keywordsOf) };
    case 'any':
      return { anyOf: condition.of.map(keywordsOf) };
    case 'not':
      return { not: keywordsOf(condition.of) };
  }
}

/** `undefined` for what is no condition that has a formula. */
export function readKeywords(schema: unknown): Condition | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { properties, required: _, ...words } = schema as Record<string, unknown>;
  const [word, ...others] = Object.keys(words);
  if (word === undefined) return readProperties(properties);
  if (properties !== undefined || others.length > 0) return undefined;
  if (word === 'not') {
    const of = readKeywords(words['not']);
    return of && { kind: 'not', of };
  }
  const list: unknown = words[word];
  if ((word !== 'allOf' && word !== 'anyOf') || !Array.isArray(list)) return undefined;
  const parts = list.map(readKeywords);
  if (parts.some((each) => each === undefined)) return undefined;
  return { kind: word === 'allOf' ? 'all' : 'any', of: parts.filter((each) => each !== undefined) };
}

function readProperties(properties: unknown): Condition | undefined {
  const tests = Object.entries((properties ?? {}) as Record<string, unknown>).map(
    ([key, test]): Condition | undefined => {
      const { const: value, ...others } = (test ?? {}) as Record<string, unknown>;
      const isConstant = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      return isConstant && Object.keys(others).length === 0 ? { kind: 'is', key, value } : undefined;
    },
  );
  const known = tests.filter((each) => each !== undefined);
  if (known.length === 0 || known.length < tests.length) return undefined;
  return known.length === 1 ? known[0] : { kind: 'all', of: known };
}

/** `address` of the cell with the answer to the field. */
export function formulaOf(condition: Condition, address: (key: string) => string | undefined): string | undefined {
  switch (condition.kind) {
    case 'is': {
      const cell = address(condition.key);
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
