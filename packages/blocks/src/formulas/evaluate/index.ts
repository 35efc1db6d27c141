/** Evaluation: syntax trees to values. */
export { solve, type Equation, type Solution } from './equations.js';
export { evaluateSyntax } from './evaluation.js';
