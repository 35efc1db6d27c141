/** Formulas of policies: a restricted dialect of mathjs with exact numbers and bounded work. */
import type { Json, JsonObject, Reference } from '@blockwork/core/block';
import { amountOf, valueOf } from './evaluate/index.js';
import { FormulaError } from './formula-error.js';
import { syntaxOf, variablesOf } from './parse/index.js';

export interface FormulaOptions {
  /**
   * `values`, the default: numbers and numeric texts compare by value, lists element by element, as in mathjs.
   * `strict`: as JavaScript's `===` and `<`, which is how the reference compares in switches.
   */
  readonly comparison?: 'values' | 'strict';
}

export interface Formula {
  /** The value, with numbers rounded to the nearest JSON number. Throws a `FormulaError` where there is none. */
  evaluate(scope: JsonObject): Json;
  /** The value as exact decimal text, such as `0.3`. Throws a `FormulaError` where it is not a number. */
  amount(scope: JsonObject): string;
}

/** Throws a `FormulaError` for an expression that is not allowed. */
export function formula(expression: string, options: FormulaOptions = {}): Formula {
  syntaxOf(expression);
  const strict = options.comparison === 'strict';
  return {
    evaluate: (scope) => valueOf(expression, scope, { strict }),
    amount: (scope) => amountOf(expression, scope),
  };
}

/** The value of an expression as exact decimal text. Throws a `FormulaError` where it is not a number. */
export const amount = (expression: string, scope: JsonObject): string => amountOf(expression, scope);

/** The names in an expression as fields of the documents that reach a block; none for one that is not allowed. */
export const fieldReferences = (expression: string, path: string): Reference[] =>
  formulaProblem(expression) === null
    ? variablesOf(expression).map((name) => ({ to: 'field', name, path, severity: 'warning' }))
    : [];

/** Grids and filters take paths; formulas name the field itself. */
function nameOfPath(expression: string): string {
  const [path, name] = /document\.credentialSubject\.\d+\.(?:[\w$]+\.)*([\w$]+)/.exec(expression) ?? [];
  return path === undefined ? '' : `; for the field at ${path} write its name, "${name ?? ''}"`;
}

/** Why an expression is not allowed; `null` for one that is. */
export function formulaProblem(expression: string): string | null {
  try {
    syntaxOf(expression);
    return null;
  } catch (error) {
    if (error instanceof FormulaError) return error.message + nameOfPath(expression);
    throw error;
  }
}
