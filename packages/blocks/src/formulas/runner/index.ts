/** Calculating with formulas in blocks, without blocking the event loop. */
export { FormulaRunner } from './formula-runner.js';
export { formulaBlockOptions, type FormulaBlockOptions, type FormulaRunLimits } from './options.js';
