/** Functions: the operators and functions of formulas. */
export { calculate } from './arithmetic.js';
export { compare, isTrue } from './comparison.js';
export { each } from './elementwise.js';
export { stepped } from './list-building.js';
export { constantNamed } from './constants.js';
export { functionNamed, functionNames, isBuiltIn, isFunctionName } from './functions.js';
export {
  arithmetic,
  comparisons,
  logic,
  unary,
  type Arithmetic,
  type Comparison,
  type Logic,
  type Unary,
} from './operators.js';
