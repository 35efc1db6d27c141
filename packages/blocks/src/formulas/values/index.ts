/** Values: what formulas calculate with, within bounds. */
export { decimal, mathjs } from './mathjs.js';
export { PRECISION, type Decimal } from './parts.js';
export { approximated, real, Real } from './real.js';
export { bounded, numberIn, toInteger, toNumber } from './numbers.js';
export { Callable, describe, Fields, fromJson, isList, isNumber, toJson, type Value } from './values.js';
export { BudgetExceeded, StepBudget, Work, type WorkOptions } from './work.js';
