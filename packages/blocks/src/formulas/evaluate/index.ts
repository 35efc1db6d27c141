/** Evaluation: syntax trees to values. */
export { solve, type Equation, type Solution } from './equations.js';
export { amountOf, valueOf } from './results.js';
export { latexNeeds, latexProblems, solveLatex, type LatexItem, type LatexSolution } from './latex-items.js';
