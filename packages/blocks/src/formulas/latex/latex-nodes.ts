/** The parser of LaTeX: from text to nodes, within limits. */
import { createRequire } from 'node:module';
import type * as library from '@unified-latex/unified-latex-util-parse';
import { FormulaError } from '../formula-error.js';
import { formulaLimits } from '../limits.js';

/** The members of the library's nodes that are read. */
export interface LatexNode {
  readonly type: string;
  readonly content?: string | readonly LatexNode[];
  readonly env?: string;
  readonly args?: readonly { readonly content: readonly LatexNode[]; readonly openMark: string }[];
}

let parser: typeof library | undefined;

/** Throws a `FormulaError` for a formula that is too long, or nests too deep. */
export function latexNodes(formula: string): readonly LatexNode[] {
  if (formula.length > formulaLimits.latexCharacters) {
    throw new FormulaError(`It is longer than ${String(formulaLimits.latexCharacters)} characters`);
  }
  demandShallow(formula);
  // Loaded with the first formula, because loading takes 0.2 seconds.
  parser ??= createRequire(import.meta.url)('@unified-latex/unified-latex-util-parse') as typeof library;
  return parser.parseMath(formula);
}

/** The parser's work grows with the square of the nesting. */
function demandShallow(formula: string): void {
  let depth = 0;
  for (const [mark] of formula.matchAll(/\\.|[{}]/gs)) {
    if (mark === '{') depth += 1;
    if (mark === '}') depth -= 1;
    if (depth < 0) throw new FormulaError('It has a brace } that was not opened');
    if (depth > formulaLimits.latexDepth) throw new FormulaError('It is nested too deeply');
  }
  if (depth !== 0) throw new FormulaError('It has a brace { that is not closed');
}
