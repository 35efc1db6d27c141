/** The tokens of a LaTeX formula: what its nodes mean, without anything that only concerns its looks. */
import { FormulaError } from '../formula-error.js';
import type { LatexNode } from './latex-nodes.js';

export type Token =
  | { readonly kind: 'number'; readonly digits: string }
  /** A single letter of the text; letters in a row may form a name. */
  | { readonly kind: 'letter'; readonly letter: string }
  /** A name written as one: `\operatorname{area}`. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  /** An operator, a bracket or a command by its name: `+`, `(`, `cdot`, `max`. */
  | { readonly kind: 'mark'; readonly mark: string }
  | { readonly kind: 'group'; readonly tokens: readonly Token[] }
  /** `_` and `^`, with what they hold. */
  | { readonly kind: 'script'; readonly mark: '_' | '^'; readonly tokens: readonly Token[] }
  /** `\frac`, `\sqrt`, with their arguments in order; an optional one that is absent is empty. */
  | { readonly kind: 'command'; readonly name: string; readonly args: readonly (readonly Token[])[] }
  | { readonly kind: 'cases'; readonly rows: readonly (readonly (readonly Token[])[])[] };

const named = new Set(['operatorname', 'mathrm', 'mathit', 'mathbf', 'mathsf', 'mathtt', 'mathnormal']);
const texts = new Set(['text', 'textrm', 'textit', 'textbf', 'mbox']);
const fractions = new Set(['frac', 'dfrac', 'tfrac', 'cfrac']);
const looks = new Set(
  ['left', 'right', 'big', 'Big', 'bigl', 'bigr', 'Bigl', 'Bigr', 'bigg', 'Bigg', 'displaystyle', 'textstyle'].concat([
    ',',
    ';',
    ':',
    '!',
    ' ',
    '>',
    'quad',
    'qquad',
    'limits',
    'nolimits',
    'thinspace',
    'mleft',
    'mright',
  ]),
);

/** Throws a `FormulaError` for what has no meaning here. */
export function tokensOf(nodes: readonly LatexNode[]): Token[] {
  const tokens: Token[] = [];
  const pending = [...nodes];
  for (let node = pending.shift(); node !== undefined; node = pending.shift()) {
    if (node.type === 'string') pushText(tokens, node.content as string);
    else if (node.type === 'macro') tokens.push(...macro(node, pending));
    else if (node.type === 'group') tokens.push({ kind: 'group', tokens: tokensOf(listOf(node)) });
    else if (node.type === 'environment') tokens.push(cases(node));
    else if (node.type !== 'whitespace' && node.type !== 'comment') {
      throw new FormulaError(`It holds something that a formula cannot have (${node.type})`);
    }
  }
  return tokens;
}

const listOf = ({ content = [] }: LatexNode): readonly LatexNode[] => (typeof content === 'string' ? [] : content);

/** Digits and the point between them form one number. */
function pushText(tokens: Token[], text: string): void {
  for (const character of text) {
    const last = tokens.at(-1);
    if (/[\d.]/.test(character)) {
      if (last?.kind === 'number') tokens[tokens.length - 1] = { kind: 'number', digits: last.digits + character };
      else tokens.push({ kind: 'number', digits: character });
    } else if (/\p{L}/u.test(character)) tokens.push({ kind: 'letter', letter: character });
    else tokens.push({ kind: 'mark', mark: character });
  }
}

/** Commands that the parser does not know take their arguments from the nodes that follow. */
function macro(node: LatexNode, following: LatexNode[]): Token[] {
  const name = node.content as string;
  if (looks.has(name)) return [];
  if (name === '_' || name === '^')
    return [{ kind: 'script', mark: name, tokens: tokensOf(argument(node, following)) }];
  if (named.has(name)) return [{ kind: 'name', name: plainText(argument(node, following)) }];
  if (texts.has(name)) return [{ kind: 'text', text: plainText(argument(node, following)) }];
  if (fractions.has(name)) {
    const args = (node.args ?? []).map(({ content }) => tokensOf(content));
    while (args.length < 2) args.push(tokensOf(next(following)));
    return [{ kind: 'command', name: 'frac', args }];
  }
  if (name === 'sqrt')
    return [{ kind: 'command', name, args: (node.args ?? []).map(({ content }) => tokensOf(content)) }];
  if (name === 'placeholder') throw new FormulaError('A part of it is not filled in');
  return [{ kind: 'mark', mark: name }];
}

const argument = ({ args = [] }: LatexNode, following: LatexNode[]): readonly LatexNode[] =>
  args.at(-1)?.content ?? next(following);

function next(following: LatexNode[]): readonly LatexNode[] {
  const node = following.shift();
  if (node === undefined) throw new FormulaError('It ends where something must follow');
  return node.type === 'group' ? listOf(node) : [node];
}

function plainText(nodes: readonly LatexNode[]): string {
  return nodes
    .map((node): string => {
      if (node.type === 'whitespace') return ' ';
      if (node.type === 'string') return node.content as string;
      if (node.type === 'group') return plainText(listOf(node));
      // A subscript is part of a name; `\_` is an underline.
      if (node.type === 'macro' && node.content === '_') return `_${plainText(node.args?.at(-1)?.content ?? [])}`;
      throw new FormulaError('A name or text holds something other than characters');
    })
    .join('')
    .trim();
}

/** Rows end with `\\`, cells with `&`. */
function cases(node: LatexNode): Token {
  if (node.env !== 'cases' && node.env !== 'dcases') {
    throw new FormulaError(`The environment "${node.env ?? ''}" cannot be used`);
  }
  const rows: Token[][][] = [[[]]];
  for (const token of tokensOf(listOf(node))) {
    if (token.kind === 'mark' && token.mark === '\\') rows.push([[]]);
    else if (token.kind === 'mark' && token.mark === '&') rows.at(-1)?.push([]);
    else rows.at(-1)?.at(-1)?.push(token);
  }
  return { kind: 'cases', rows: rows.filter((row) => row.some((cell) => cell.length > 0)) };
}
