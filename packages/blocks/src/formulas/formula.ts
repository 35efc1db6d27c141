/** Formulas of policies: a restricted dialect of mathjs, exact, and bounded in what it may use. */
import type { Json, JsonObject } from '@blockwork/core/block';
import { evaluateSyntax } from './evaluate.js';
import { FormulaError } from './formula-error.js';
import { isBuiltIn } from './functions.js';
import { toNumber } from './numbers.js';
import { syntaxOf } from './parse.js';
import type { Syntax } from './syntax.js';
import { toJson, type Value } from './values.js';
import { Work } from './work.js';

export interface FormulaOptions {
  /**
   * `values`, the default: numbers and texts that are numbers compare by value, lists element by element, as in mathjs.
   * `strict`: as JavaScript's `===` and `<`, which is how the reference compares in switches.
   */
  readonly comparison?: 'values' | 'strict';
}

export interface Formula {
  /** Numbers come out as the nearest JSON numbers. Throws a `FormulaError` where there is no value. */
  evaluate(scope: JsonObject): Json;
  /** The value as exact decimal text, such as `0.3`. Throws a `FormulaError` where it is not a number. */
  amount(scope: JsonObject): string;
}

/** Throws a `FormulaError` for an expression that is not allowed. */
export function formula(expression: string, options: FormulaOptions = {}): Formula {
  const syntax = syntaxOf(expression);
  const valueIn = (scope: JsonObject, work: Work): Value => evaluateSyntax(expression, syntax, scope, work);
  const strict = options.comparison === 'strict';
  return {
    evaluate: (scope) => {
      const work = new Work(strict);
      return toJson(valueIn(scope, work), work);
    },
    amount: (scope) => {
      const value = valueIn(scope, new Work(strict));
      if (typeof value === 'boolean') throw new FormulaError(`${String(value)} is not a number`);
      return toNumber(value).toFixed();
    },
  };
}

/** The value of an expression as exact decimal text. Throws a `FormulaError` where it is not a number. */
export const amount = (expression: string, scope: JsonObject): string => formula(expression).amount(scope);

/** What an author got wrong; `null` for an expression that can be evaluated, given the names it uses. */
export function formulaProblem(expression: string): string | null {
  try {
    syntaxOf(expression);
    return null;
  } catch (error) {
    if (error instanceof FormulaError) return error.message;
    throw error;
  }
}

/** The names that an expression takes from its scope, each once. Throws a `FormulaError` for one that is not allowed. */
export function variablesOf(expression: string): string[] {
  const found = new Set<string>();
  collect(syntaxOf(expression), new Set(['end']), found);
  return [...found];
}

function collect(syntax: Syntax, own: Set<string>, found: Set<string>): void {
  switch (syntax.kind) {
    case 'constant':
      return;
    case 'name':
      if (!own.has(syntax.name) && !isBuiltIn(syntax.name)) found.add(syntax.name);
      return;
    case 'function':
      own.add(syntax.name);
      collect(syntax.body, new Set([...own, ...syntax.parameters]), found);
      return;
    case 'let':
      collect(syntax.value, own, found);
      own.add(syntax.name);
      return;
    default:
      for (const part of partsOf(syntax)) collect(part, own, found);
  }
}

function partsOf(syntax: Exclude<Syntax, { kind: 'constant' | 'name' | 'function' | 'let' }>): readonly Syntax[] {
  switch (syntax.kind) {
    case 'unary':
      return [syntax.operand];
    case 'arithmetic':
    case 'logic':
      return [syntax.left, syntax.right];
    case 'comparison':
      return syntax.operands;
    case 'choice':
      return [syntax.test, syntax.yes, syntax.no];
    case 'list':
      return syntax.items;
    case 'range':
      return syntax.step === null ? [syntax.from, syntax.to] : [syntax.from, syntax.step, syntax.to];
    case 'index':
      return [syntax.of, ...syntax.dimensions];
    case 'field':
      return [syntax.of];
    case 'call':
      return syntax.args;
    case 'block':
      return syntax.statements;
  }
}
