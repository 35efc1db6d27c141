/** From the tokens of a LaTeX formula to the syntax tree of formulas. */
import { FormulaError } from '../formula-error.js';
import type { Comparison } from '../functions/index.js';
import { formulaLimits } from '../limits.js';
import type { Syntax } from '../parse/index.js';
import { real } from '../values/index.js';
import { brackets, connectives, functionCommands, functionWords, products, relations, sums } from './latex-names.js';
import type { Token } from './tokens.js';

/** Throws a `FormulaError`. `names`: what the formula may name; letters in a row are read as the longest of them. */
export const readLatex = (tokens: readonly Token[], names: ReadonlySet<string>): Syntax =>
  new LatexReader(tokens, names).whole();

/** Reads one list of tokens; what is in braces is read by a reader of its own. */
class LatexReader {
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly names: ReadonlySet<string>,
    private readonly depth = 0,
    /** `|` ends what a reader inside bars reads. */
    private readonly bars: string[] = [],
  ) {
    if (depth > formulaLimits.latexDepth) throw new FormulaError('It is nested too deeply');
  }

  whole(): Syntax {
    if (this.tokens.length === 0) throw new FormulaError('It is empty');
    const syntax = this.expression();
    if (this.at < this.tokens.length) throw new FormulaError(`${this.shown()} is not expected there`);
    return syntax;
  }

  private inside(tokens: readonly Token[], more: readonly string[] = []): Syntax {
    const names = more.length === 0 ? this.names : new Set([...this.names, ...more]);
    return new LatexReader(tokens, names, this.depth + 1).whole();
  }

  private get token(): Token | undefined {
    return this.tokens[this.at];
  }

  private mark(): string {
    return this.token?.kind === 'mark' ? this.token.mark : '';
  }

  private take<Meaning>(table: Readonly<Record<string, Meaning>>): Meaning | undefined {
    const mark = this.mark();
    if (mark === '' || !Object.hasOwn(table, mark)) return undefined;
    this.at += 1;
    return table[mark];
  }

  private expect(mark: string): void {
    if (this.mark() !== mark) throw new FormulaError(`It has ${this.shown()} where "${mark}" must be`);
    this.at += 1;
  }

  private expression(): Syntax {
    let left = this.comparison();
    for (let operator = this.take(connectives); operator !== undefined; operator = this.take(connectives)) {
      left = { kind: 'logic', operator, left, right: this.comparison() };
    }
    return left;
  }

  private comparison(): Syntax {
    if (this.take({ neg: true, lnot: true }) === true) {
      return { kind: 'unary', operator: 'not', operand: this.comparison() };
    }
    const operands = [this.sum()];
    const operators: Comparison[] = [];
    for (let operator = this.take(relations); operator !== undefined; operator = this.take(relations)) {
      operators.push(operator);
      operands.push(this.sum());
    }
    const [only] = operands;
    return operators.length === 0 && only !== undefined ? only : { kind: 'comparison', operators, operands };
  }

  private sum(): Syntax {
    let left = this.product();
    for (let operator = this.take(sums); operator !== undefined; operator = this.take(sums)) {
      left = { kind: 'arithmetic', operator, left, right: this.product() };
    }
    return left;
  }

  /** What stands side by side is multiplied. */
  private product(): Syntax {
    let left = this.signed();
    for (;;) {
      const operator = this.take(products) ?? (this.startsOperand() ? 'multiply' : undefined);
      if (operator === undefined) return left;
      left = { kind: 'arithmetic', operator, left, right: this.signed() };
    }
  }

  private startsOperand(): boolean {
    const { token } = this;
    if (token === undefined || token.kind === 'script' || token.kind === 'text') return false;
    if (token.kind !== 'mark') return true;
    const { mark } = token;
    if (mark === this.bars.at(-1)) return false;
    return (
      Object.hasOwn(brackets, mark) ||
      functionCommands.has(mark) ||
      ['sum', 'prod', 'pi', 'exponentialE'].includes(mark)
    );
  }

  private signed(): Syntax {
    const operator = this.take({ '-': 'unaryMinus', '+': 'unaryPlus' } as const);
    return operator === undefined ? this.power() : { kind: 'unary', operator, operand: this.signed() };
  }

  private power(): Syntax {
    let base = this.operand();
    for (;;) {
      if (this.take({ '%': true }) === true) {
        base = { kind: 'arithmetic', operator: 'divide', left: base, right: constant('100') };
      } else if (this.token?.kind === 'script' && this.token.mark === '^') {
        base = { kind: 'arithmetic', operator: 'pow', left: base, right: this.script() };
      } else return base;
    }
  }

  private script(): Syntax {
    const { token } = this;
    if (token?.kind !== 'script') throw new FormulaError(`It has ${this.shown()} where a limit must be`);
    this.at += 1;
    return this.inside(token.tokens);
  }

  private operand(): Syntax {
    const { token } = this;
    if (token === undefined) throw new FormulaError('It ends where a value must follow');
    switch (token.kind) {
      case 'number':
        this.at += 1;
        return constant(token.digits);
      case 'text':
        this.at += 1;
        return { kind: 'constant', value: token.text };
      case 'group':
        this.at += 1;
        return this.inside(token.tokens);
      case 'command':
        this.at += 1;
        return this.command(token.name, token.args);
      case 'cases':
        this.at += 1;
        return this.cases(token.rows);
      case 'name':
        this.at += 1;
        return this.named(token.name);
      case 'letter':
        return this.named(this.letters());
      default:
        return this.marked();
    }
  }

  /** The longest known name that the letters from here begin with; otherwise one letter. */
  private letters(): string {
    let run = '';
    let next = this.token;
    for (let i = this.at; next?.kind === 'letter'; next = this.tokens[i]) {
      run += next.letter;
      i += 1;
    }
    const indexed = next?.kind === 'script' && next.mark === '_' && this.names.has(`${run}_${plain(next)}`);
    let { length } = run;
    while (!indexed && length > 1 && !this.names.has(run.slice(0, length))) length -= 1;
    this.at += length;
    return run.slice(0, length);
  }

  private named(name: string): Syntax {
    if (name === '') throw new FormulaError('A name is empty');
    const { token } = this;
    if (token?.kind === 'script' && token.mark === '_') return this.subscripted(name, token.tokens);
    if (this.mark() === '(' && (this.names.has(name) ? this.isFunction(name) : true)) return this.call(name);
    return { kind: 'name', name };
  }

  /** Known functions are marked by brackets behind their name. */
  private isFunction(name: string): boolean {
    return this.names.has(`${name}(`);
  }

  /** `x_i` is a variable of that name, or an element of the list `x`. */
  private subscripted(name: string, tokens: readonly Token[]): Syntax {
    const text = tokens.map((token) => plain(token)).join('');
    this.at += 1;
    const full = `${name}_${text}`;
    if (this.names.has(full) || !this.names.has(name)) return this.named(full);
    return { kind: 'index', of: { kind: 'name', name }, dimensions: [this.inside(tokens)] };
  }

  private call(name: string): Syntax {
    const args = this.arguments();
    if (this.isFunction(name)) return { kind: 'call', name, args };
    if (name === 'EqualString') return { kind: 'comparison', operators: ['equal'], operands: args };
    const functionName = Object.hasOwn(functionWords, name) ? functionWords[name] : undefined;
    if (functionName === undefined) throw new FormulaError(`There is no function "${name}"`);
    return { kind: 'call', name: functionName, args };
  }

  private arguments(): Syntax[] {
    const close = this.take({ '(': ')', '{': '}', '[': ']' });
    if (close === undefined) throw new FormulaError(`It has ${this.shown()} where arguments must be`);
    const args = [this.expression()];
    while (this.take({ ',': true }) === true) args.push(this.expression());
    this.expect(close);
    return args;
  }

  private marked(): Syntax {
    const mark = this.mark();
    if (mark === 'sum' || mark === 'prod') return this.series(mark);
    if (functionCommands.has(mark)) return this.functionCommand(mark);
    if (mark === 'pi' || mark === 'exponentialE') {
      this.at += 1;
      return { kind: 'name', name: mark === 'pi' ? 'pi' : 'e' };
    }
    const bracket = this.take(brackets);
    if (bracket === undefined) throw new FormulaError(`${this.shown()} cannot be used there`);
    this.bars.push(bracket.close);
    const content = this.expression();
    this.bars.pop();
    this.expect(bracket.close);
    return bracket.apply === undefined ? content : { kind: 'call', name: bracket.apply, args: [content] };
  }

  /** `\ln x`, `\max(a, b)`, `\log_{2} x`. */
  private functionCommand(mark: string): Syntax {
    this.at += 1;
    const { token } = this;
    const base = token?.kind === 'script' && token.mark === '_' ? this.script() : undefined;
    const hasBrackets = ['(', '{', '['].includes(this.mark());
    const args = hasBrackets ? this.arguments() : [this.power()];
    if (base === undefined) return { kind: 'call', name: functionWords[mark] ?? mark, args };
    if (mark !== 'log') throw new FormulaError(`"${mark}" takes no index`);
    return { kind: 'call', name: 'log', args: [...args, base] };
  }

  /** `\sum_{i=1}^{n} x_i`. */
  private series(operator: 'sum' | 'prod'): Syntax {
    this.at += 1;
    const scripts = new Map<string, readonly Token[]>();
    for (let { token } = this; token?.kind === 'script' && !scripts.has(token.mark); { token } = this) {
      scripts.set(token.mark, token.tokens);
      this.at += 1;
    }
    const [variable, equals, ...from] = scripts.get('_') ?? [];
    const to = scripts.get('^');
    if (variable?.kind !== 'letter' || equals?.kind !== 'mark' || equals.mark !== '=' || to === undefined) {
      throw new FormulaError(`A ${operator} goes from an index, such as i = 1, to an end`);
    }
    const name = variable.letter;
    const reader = new LatexReader(this.tokens, new Set([...this.names, name]), this.depth + 1, this.bars);
    reader.at = this.at;
    const body = reader.product();
    this.at = reader.at;
    return { kind: 'series', operator, variable: name, from: this.inside(from), to: this.inside(to), body };
  }

  private command(name: string, args: readonly (readonly Token[])[]): Syntax {
    const [first = [], second = []] = args;
    if (name === 'frac') {
      return { kind: 'arithmetic', operator: 'divide', left: this.inside(first), right: this.inside(second) };
    }
    if (first.length === 0) return { kind: 'call', name: 'sqrt', args: [this.inside(second)] };
    const inverse: Syntax = { kind: 'arithmetic', operator: 'divide', left: constant('1'), right: this.inside(first) };
    return { kind: 'arithmetic', operator: 'pow', left: this.inside(second), right: inverse };
  }

  /** The first row whose condition is met. A row without one, or with words in its place, is for all other cases. */
  private cases(rows: readonly (readonly (readonly Token[])[])[]): Syntax {
    return rows.reduceRight<Syntax>(
      (no, [value = [], condition = []]) => {
        const test = condition.filter(({ kind }) => kind !== 'text');
        const yes = this.inside(value);
        return test.length === 0 ? yes : { kind: 'choice', test: this.inside(test), yes, no };
      },
      { kind: 'constant', value: null },
    );
  }

  private shown(): string {
    return this.token === undefined ? 'its end' : `"${plain(this.token)}"`;
  }
}

function constant(digits: string): Syntax {
  if (!/^(\d+\.?\d*|\.\d+)$/.test(digits)) throw new FormulaError(`"${digits}" is not a number`);
  return { kind: 'constant', value: real(digits) };
}

/** A token as text, for names and messages. */
function plain(token: Token): string {
  switch (token.kind) {
    case 'number':
      return token.digits;
    case 'letter':
      return token.letter;
    case 'name':
      return token.name;
    case 'text':
      return token.text;
    case 'mark':
      return token.mark;
    case 'group':
    case 'script':
      return token.tokens.map(plain).join('');
    default:
      return token.kind;
  }
}
