/** Calculation with formulas in LaTeX. */
export { mathBlock } from './math-block.js';
export { mathBlockOptions, type MathBlockOptions } from './math-block.js';
