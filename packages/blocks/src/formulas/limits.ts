/** Limits of one formula. Exceeding one is a `FormulaError`. */
export const formulaLimits = {
  /** Length of an expression, in characters. */
  characters: 10_000,
  /** Length of a formula in LaTeX, in characters. */
  latexCharacters: 4_000,
  /** Levels of braces in LaTeX. */
  latexDepth: 50,
  /** Nodes of its syntax tree. */
  nodes: 5_000,
  /** Levels of the tree, and of nested calls during evaluation. */
  depth: 1_000,
  /** Elements of any list, in the scope or calculated. */
  elements: 50_000,
  /** Length of a calculated text, in characters. */
  textLength: 100_000,
  /** Length of a text that counts as a number. */
  numericTextLength: 100,
  /** Largest power of ten of a number. Larger numbers are refused; below the negative power they become 0. */
  exponent: 400,
  /** Work: about one step for each node visited and each number added, 0.3 to 4 microseconds each. */
  steps: 250_000,
} as const;
