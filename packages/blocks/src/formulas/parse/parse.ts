/** From the text of a formula to its syntax tree. */
import { LRUCache } from 'lru-cache';
import type { MathNode } from 'mathjs';
import { FormulaError } from '../formula-error.js';
import { formulaLimits } from '../limits.js';
import { mathjs } from '../values/index.js';
import type { MathjsNode } from './mathjs-node.js';
import type { Syntax } from './syntax.js';
import { readSyntax } from './syntax-reader.js';

/** Trees by expression; `maxSize` counts characters. */
const parsed = new LRUCache<string, Syntax>({
  max: 1_000,
  maxSize: 300_000,
  sizeCalculation: (_, expression) => Math.max(1, expression.length),
});

/** The syntax tree of an expression, cached. Throws a `FormulaError` for anything that is not allowed. */
export function syntaxOf(expression: string): Syntax {
  const known = parsed.get(expression);
  if (known !== undefined) return known;
  const syntax = parse(expression);
  parsed.set(expression, syntax);
  return syntax;
}

function parse(expression: string): Syntax {
  if (expression.length > formulaLimits.characters) {
    throw new FormulaError(`It is longer than ${String(formulaLimits.characters)} characters`);
  }
  let root: MathNode;
  try {
    root = mathjs().parse(expression);
  } catch (error) {
    if (error instanceof RangeError) throw new FormulaError('It is nested too deeply');
    const { message, char } = error as Error & { char?: number };
    throw new FormulaError(message.replace(/\s*\(char \d+\)$/, '').replace(/\.$/, ''), char ?? null);
  }
  // The typings tell the kinds of nodes apart by class; the reader tells them apart by `type`.
  return readSyntax(expression, root as unknown as MathjsNode);
}
