/** Equations: formulas with a name each, where a later one may use what an earlier one gave. */
import type { JsonObject } from '@blockwork/core/block';
import { evaluateSyntax } from './evaluate.js';
import { FormulaError } from './formula-error.js';
import { syntaxOf } from './parse.js';
import { toJson, type Value } from './values.js';
import { Work } from './work.js';

export interface Equation {
  readonly variable: string;
  readonly formula: string;
}

export interface Solution {
  /** Of each equation that has one. */
  readonly values: JsonObject;
  readonly failures: readonly (Equation & { readonly error: FormulaError })[];
}

/**
 * In order; between equations numbers stay exact. A variable whose equation fails has no value, whatever the scope says of
 * it, and equations that need it fail as well.
 */
export function solve(equations: readonly Equation[], scope: JsonObject): Solution {
  const known = new Map<string, Value>();
  let names = scope;
  let values: JsonObject = {};
  const failures: (Equation & { error: FormulaError })[] = [];
  for (const equation of equations) {
    const { variable, formula } = equation;
    try {
      const work = new Work(false);
      const value = evaluateSyntax(formula, syntaxOf(formula), names, work, known);
      values = { ...values, [variable]: toJson(value, work) };
      known.set(variable, value);
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      failures.push({ ...equation, error });
      known.delete(variable);
      names = without(names, variable);
      values = without(values, variable);
    }
  }
  return { values, failures };
}

const without = (members: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));
