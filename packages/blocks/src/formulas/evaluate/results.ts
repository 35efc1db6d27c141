/** The results of one expression in a scope. */
import type { Json, JsonObject } from '@blockwork/core/block';
import { FormulaError } from '../formula-error.js';
import { syntaxOf } from '../parse/index.js';
import { toJson, toNumber, Work, type StepBudget, type WorkOptions } from '../values/index.js';
import { evaluateSyntax } from './evaluation.js';

/** Numbers are rounded to the nearest JSON number. Throws a `FormulaError` where there is no value. */
export function valueOf(expression: string, scope: JsonObject, options: WorkOptions = {}): Json {
  const work = new Work(options);
  return toJson(evaluateSyntax(expression, syntaxOf(expression), scope, work), work);
}

/** Exact decimal text. Throws a `FormulaError` where the value is not a number. */
export function amountOf(expression: string, scope: JsonObject, budget?: StepBudget): string {
  const value = evaluateSyntax(expression, syntaxOf(expression), scope, new Work({ budget }));
  if (typeof value === 'boolean') throw new FormulaError(`${String(value)} is not a number`);
  return toNumber(value).toFixed();
}
