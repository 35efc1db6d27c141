/** What LaTeX calls the operators and functions of formulas. */
import type { Arithmetic, Comparison, Logic } from '../functions/index.js';

export const sums: Readonly<Record<string, Arithmetic>> = { '+': 'add', '-': 'subtract' };

export const products: Readonly<Record<string, Arithmetic>> = {
  '*': 'multiply',
  cdot: 'multiply',
  times: 'multiply',
  ast: 'multiply',
  '/': 'divide',
  div: 'divide',
  bmod: 'mod',
};

export const relations: Readonly<Record<string, Comparison>> = {
  '=': 'equal',
  ne: 'unequal',
  neq: 'unequal',
  '<': 'smaller',
  lt: 'smaller',
  le: 'smallerEq',
  leq: 'smallerEq',
  leqslant: 'smallerEq',
  '>': 'larger',
  gt: 'larger',
  ge: 'largerEq',
  geq: 'largerEq',
  geqslant: 'largerEq',
};

export const connectives: Readonly<Record<string, Logic>> = { land: 'and', wedge: 'and', lor: 'or', vee: 'or' };

/** Commands and words for functions; words in any other spelling are names of variables. */
export const functionWords: Readonly<Record<string, string>> = {
  max: 'max',
  min: 'min',
  ln: 'log',
  log: 'log10',
  lg: 'log10',
  lb: 'log2',
  exp: 'exp',
  abs: 'abs',
  floor: 'floor',
  ceil: 'ceil',
  round: 'round',
  sqrt: 'sqrt',
  sign: 'sign',
  sgn: 'sign',
  sin: 'sin',
  cos: 'cos',
  tan: 'tan',
  arcsin: 'asin',
  arccos: 'acos',
  arctan: 'atan',
  sinh: 'sinh',
  cosh: 'cosh',
  tanh: 'tanh',
  sum: 'sum',
  mean: 'mean',
  median: 'median',
  size: 'count',
  mod: 'mod',
  Max: 'max',
  Min: 'min',
  Ln: 'log',
  Log: 'log10',
  Exp: 'exp',
  Abs: 'abs',
  Floor: 'floor',
  Ceil: 'ceil',
  Round: 'round',
  Sqrt: 'sqrt',
  Sum: 'sum',
  Mean: 'mean',
  Median: 'median',
  Length: 'count',
  Count: 'count',
  Mod: 'mod',
  Power: 'pow',
};

/** Commands for functions, which no variable can be called. */
export const functionCommands: ReadonlySet<string> = new Set([
  ...['max', 'min', 'ln', 'log', 'lg', 'lb', 'exp'],
  ...['sin', 'cos', 'tan', 'arcsin', 'arccos', 'arctan', 'sinh', 'cosh', 'tanh'],
]);

/** Brackets, by the one that opens. */
export const brackets: Readonly<Record<string, { readonly close: string; readonly apply?: string }>> = {
  '(': { close: ')' },
  '[': { close: ']' },
  '{': { close: '}' },
  lbrack: { close: 'rbrack' },
  lbrace: { close: 'rbrace' },
  lparen: { close: 'rparen' },
  '|': { close: '|', apply: 'abs' },
  vert: { close: 'vert', apply: 'abs' },
  lvert: { close: 'rvert', apply: 'abs' },
  lfloor: { close: 'rfloor', apply: 'floor' },
  lceil: { close: 'rceil', apply: 'ceil' },
};
