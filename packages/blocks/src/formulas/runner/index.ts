/** Calculating with formulas in blocks, without blocking the event loop. */
export { FormulaRunner } from './formula-runner.js';
export type { FormulaBlockOptions, FormulaRunLimits } from './options.js';
