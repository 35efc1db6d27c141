/** Equations: named formulas, each of which may use the results of those before it. */
import type { JsonObject } from '@blockwork/core/block';
import { evaluateSyntax } from './evaluation.js';
import { FormulaError } from '../formula-error.js';
import { syntaxOf } from '../parse/index.js';
import { toJson, Work, type StepBudget, type Value } from '../values/index.js';

export interface Equation {
  readonly variable: string;
  readonly formula: string;
}

export interface Solution {
  /** Results by variable; an equation that failed has none. */
  readonly values: JsonObject;
  readonly failures: readonly (Equation & { readonly error: FormulaError })[];
}

/**
 * Solves equations in order; numbers stay exact between them. The variable of an equation that fails has no value, even
 * where the scope has one, so equations that use it fail as well.
 */
export function solve(equations: readonly Equation[], scope: JsonObject, budget?: StepBudget): Solution {
  const solutions = new Map<string, Value>();
  let names = scope;
  let values: JsonObject = {};
  const failures: (Equation & { error: FormulaError })[] = [];
  for (const equation of equations) {
    const { variable, formula } = equation;
    try {
      const work = new Work({ budget });
      const value = evaluateSyntax(formula, syntaxOf(formula), names, work, solutions);
      values = { ...values, [variable]: toJson(value, work) };
      solutions.set(variable, value);
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      failures.push({ ...equation, error });
      solutions.delete(variable);
      names = without(names, variable);
      values = without(values, variable);
    }
  }
  return { values, failures };
}

const without = (members: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));
