/**
 * Parses formulas by the grammar of spreadsheets (ECMA-376, part 1, section 18.17): `^` is the power and associates to the left, `-2^2`
 * is 4, `=` compares, `&` joins texts, `%` divides by a hundred, `""` in a text is a quote.
 */
import { FormulaError, type BinaryOperator, type CellReference, type Formula } from './formula.js';

const LONGEST = 8192;
const DEEPEST = 64;

const token =
  /\s*(?:(?<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)(?![A-Za-z_])|(?<text>"(?:[^"]|"")*")|(?<error>#(?:REF!|NAME\?|VALUE!|DIV\/0!|N\/A|NUM!|NULL!))|(?<cell>(?:(?:'(?<quoted>(?:[^']|'')+)'|(?<plain>[\p{L}_][\p{L}\p{N}_.]*))!)?\$?(?<column>[A-Za-z]{1,3})\$?(?<row>\d{1,7})(?![\p{L}\p{N}_(]))|(?<name>[\p{L}_][\p{L}\p{N}_.]*)|(?<sign><>|<=|>=|[-+*/^&=<>%(),;:{}[\]!@]))/uy;

interface Token {
  readonly type: 'value' | 'cell' | 'name' | 'sign' | 'end';
  readonly text: string;
  readonly formula?: Formula;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (text.slice(token.lastIndex).trim() !== '') {
    const at = token.lastIndex;
    const groups = token.exec(text)?.groups;
    if (groups === undefined) throw new FormulaError(`"${text.slice(at, at + 10).trim()}" is not understood`);
    tokens.push(tokenOf(groups));
  }
  return [...tokens, { type: 'end', text: 'the end' }];
}

function tokenOf({
  number,
  text,
  error,
  cell,
  quoted,
  plain,
  column,
  row,
  name,
  sign,
}: Record<string, string | undefined>): Token {
  if (error !== undefined) throw new FormulaError(`it has the error ${error}: a cell that it refers to is gone`);
  if (number !== undefined) return { type: 'value', text: number, formula: { kind: 'value', value: Number(number) } };
  if (text !== undefined) {
    return { type: 'value', text, formula: { kind: 'value', value: text.slice(1, -1).replaceAll('""', '"') } };
  }
  if (cell !== undefined) {
    const sheet = quoted?.replaceAll("''", "'") ?? plain;
    const place = { column: (column ?? '').toUpperCase(), row: Number(row) };
    return { type: 'cell', text: cell, formula: { kind: 'cell', ...(sheet !== undefined && { sheet }), ...place } };
  }
  return name === undefined ? { type: 'sign', text: sign ?? '' } : { type: 'name', text: name };
}

/** From the loosest. */
const levels: readonly (readonly BinaryOperator[])[] = [
  ['=', '<>', '<', '<=', '>', '>='],
  ['&'],
  ['+', '-'],
  ['*', '/'],
  ['^'],
];

/** `text` is without the leading `=`. @throws FormulaError */
export function parseFormula(text: string): Formula {
  if (text.length > LONGEST) throw new FormulaError(`it has more than ${String(LONGEST)} characters`);
  const tokens = tokensOf(text);
  let [at, depth] = [0, 0];
  const peek = (): Token => tokens[at] ?? { type: 'end', text: 'the end' };
  const take = (): Token => tokens[at++] ?? peek();
  const isSign = (...signs: string[]): boolean => peek().type === 'sign' && signs.includes(peek().text);
  const demand = (sign: string): void => {
    if (!isSign(sign)) throw new FormulaError(`there is ${peek().text} instead of "${sign}"`);
    at += 1;
  };

  function binary(level: number): Formula {
    const operators = levels[level];
    if (operators === undefined) return unary();
    let left = binary(level + 1);
    while (isSign(...operators)) {
      const operator = take().text as BinaryOperator;
      left = { kind: 'binary', operator, left, right: binary(level + 1) };
    }
    return left;
  }

  function unary(): Formula {
    if (!isSign('-', '+')) return percent();
    const operator = take().text as '-' | '+';
    return nested(() => ({ kind: 'unary', operator, operand: unary() }));
  }

  function percent(): Formula {
    let operand = primary();
    while (isSign('%')) {
      at += 1;
      operand = { kind: 'unary', operator: '%', operand };
    }
    return operand;
  }

  function primary(): Formula {
    const { type, text: written, formula } = take();
    if (type === 'cell' && formula?.kind === 'cell') return isSign(':') ? range(formula) : formula;
    if (formula !== undefined) return formula;
    if (type === 'name') return named(written);
    if (written !== '(') throw new FormulaError(`there is ${written} where a value is expected`);
    const inner = nested(() => binary(0));
    demand(')');
    return inner;
  }

  function range(from: CellReference): Formula {
    at += 1;
    const { formula: to } = take();
    if (to?.kind !== 'cell') throw new FormulaError('a range has no end');
    return { kind: 'range', from, to: { ...to, ...(from.sheet !== undefined && { sheet: from.sheet }) } };
  }

  function named(written: string): Formula {
    const name = written.toUpperCase().replace(/^_XLFN\./, '');
    if (!isSign('(')) {
      if (name === 'TRUE' || name === 'FALSE') return { kind: 'value', value: name === 'TRUE' };
      throw new FormulaError(`the name ${written} is not known`);
    }
    at += 1;
    const args: Formula[] = [];
    while (!isSign(')')) {
      args.push(nested(() => binary(0)));
      // Some languages separate by semicolons on screen; files always have commas.
      if (!isSign(')')) demand(',');
    }
    at += 1;
    const isConstant = (name === 'TRUE' || name === 'FALSE') && args.length === 0;
    return isConstant ? { kind: 'value', value: name === 'TRUE' } : { kind: 'call', name, arguments: args };
  }

  function nested(read: () => Formula): Formula {
    depth += 1;
    if (depth > DEEPEST) throw new FormulaError(`it nests deeper than ${String(DEEPEST)} levels`);
    const formula = read();
    depth -= 1;
    return formula;
  }

  const formula = binary(0);
  if (peek().type !== 'end') throw new FormulaError(`there is ${peek().text} after the end`);
  return formula;
}
