/** Formulas: the language in which policies calculate amounts, conditions and fields. */
export { latexNeeds, latexProblems, solve, type Equation, type LatexItem, type Solution } from './evaluate/index.js';
export { formula } from './checked-formula.js';
export { amount, fieldReferences, formulaProblem, type Formula, type FormulaOptions } from './formula.js';
export { FormulaError } from './formula-error.js';
export { functionNames } from './functions/index.js';
export { formulaLimits } from './limits.js';
export { variablesOf } from './parse/index.js';
export { formulaBlockOptions, FormulaRunner, type FormulaBlockOptions, type FormulaRunLimits } from './runner/index.js';
export { scopeOf, subjectOfDocument } from './scope.js';
export { real, Real } from './values/index.js';
