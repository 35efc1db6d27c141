/** Parsing: expressions to syntax trees. */
export { syntaxOf } from './parse.js';
export type { Syntax, SyntaxOf } from './syntax.js';
export { namesIn, variablesOf } from './variables.js';
