/** Names of the operators on two operands, as mathjs calls them. */
export const arithmetic = [
  'add',
  'subtract',
  'multiply',
  'divide',
  'mod',
  'pow',
  'dotMultiply',
  'dotDivide',
  'dotPow',
] as const;
export type Arithmetic = (typeof arithmetic)[number];

export const comparisons = ['equal', 'unequal', 'smaller', 'smallerEq', 'larger', 'largerEq'] as const;
export type Comparison = (typeof comparisons)[number];

export const logic = ['and', 'or', 'xor'] as const;
export type Logic = (typeof logic)[number];

export const unary = ['unaryMinus', 'unaryPlus', 'not'] as const;
export type Unary = (typeof unary)[number];
