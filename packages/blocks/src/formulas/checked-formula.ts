/** `formula` for programs, which may give anything for options. Threads use the bare one, so that they load nothing of the engine. */
import { demandOptions } from '@blockwork/core/block';
import { formula as unchecked, type Formula, type FormulaOptions } from './formula.js';

/** Throws a `FormulaError` for an expression that is not allowed, and `INPUT_INVALID` for options that are no object. */
export function formula(expression: string, options?: FormulaOptions): Formula {
  demandOptions(options, 'formula', 'options');
  return unchecked(expression, options);
}
