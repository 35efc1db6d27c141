/** LaTeX: formulas of mathematical notation, read into the syntax tree of formulas. */
import { LRUCache } from 'lru-cache';
import { formulaLimits } from '../limits.js';
import type { Syntax } from '../parse/index.js';
import { latexNodes } from './latex-nodes.js';
import { readLatex } from './latex-reader.js';
import { tokensOf } from './tokens.js';

/** Trees by names and text; `maxSize` counts characters. */
const read = new LRUCache<string, Syntax>({
  max: 1_000,
  maxSize: 1_000_000,
  sizeCalculation: (_, key) => Math.max(1, key.length),
});

/**
 * The syntax tree of a LaTeX formula, cached. `names` are those it may use; a function's ends with `(`. Throws a
 * `FormulaError` for anything that is not allowed.
 */
export function latexSyntax(formula: string, names: ReadonlySet<string>): Syntax {
  if (formula.length > formulaLimits.latexCharacters) return readLatex(tokensOf(latexNodes(formula)), names);
  const key = `${[...names].join(',')}\n${formula}`;
  const cached = read.get(key);
  if (cached !== undefined) return cached;
  const syntax = readLatex(tokensOf(latexNodes(formula)), names);
  read.set(key, syntax);
  return syntax;
}
