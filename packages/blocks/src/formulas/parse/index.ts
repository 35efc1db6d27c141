/** Parsing: expressions to syntax trees. */
export { inlineBody, inlineParameter } from './variables.js';
export { syntaxOf } from './parse.js';
export { childrenOf, type Syntax, type SyntaxOf } from './syntax.js';
export { namesIn, variablesOf } from './variables.js';
