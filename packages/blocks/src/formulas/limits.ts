/** How much a formula may ask for. Whatever goes beyond is a `FormulaError`. */
export const formulaLimits = {
  /** Characters of an expression. */
  characters: 10_000,
  /** Nodes of its syntax tree. */
  nodes: 5_000,
  /** Levels of the tree, and of calls within calls while it is evaluated. */
  depth: 1_000,
  /** Elements of any list, at any level, that comes in or is made on the way. */
  elements: 50_000,
  /** Characters of any text that is made on the way, and of one that counts as a number. */
  textLength: 100_000,
  numericTextLength: 100,
  /** Powers of ten of any number: larger ones are refused, smaller ones are 0. */
  exponent: 400,
  /** Work: about one for each node visited and each number added. A step takes 10 microseconds at the most. */
  steps: 250_000,
} as const;
