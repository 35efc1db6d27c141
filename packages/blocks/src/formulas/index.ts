/** Formulas: what policies calculate amounts, conditions and fields with. */
export { amount, formula, formulaProblem, variablesOf, type Formula, type FormulaOptions } from './formula.js';
export { solve, type Equation, type Solution } from './equations.js';
export { FormulaError } from './formula-error.js';
export { functionNames } from './functions.js';
export { formulaLimits } from './limits.js';
export { decimal, type Decimal } from './mathjs.js';
export { scopeOf, subjectOfDocument } from './scope.js';
