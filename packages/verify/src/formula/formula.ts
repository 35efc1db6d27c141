/** Recomputes formulas of arithmetic exactly. Formulas with more than arithmetic are left to the engine. */
import { type Json, type JsonObject, memberOf } from '../json.js';
import {
  ceil,
  compared,
  dividedBy,
  floor,
  minus,
  negated,
  NotComputable,
  ofDecimal,
  plus,
  power,
  rational,
  type Rational,
  round,
  times,
  WithoutValue,
} from './rational.js';

/** Characters of a formula. */
const LENGTH = 10_000;

/** Parentheses, signs and powers within each other. */
const DEPTH = 200;

const TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([\p{L}_$][\p{L}\p{N}_$]*)|([-+*/^(),]))/uy;

/** The value of the formula over the fields of a subject. Throws `NotComputable`. */
export function valueOf(formula: string, fields: JsonObject): Rational {
  if (formula.length > LENGTH) throw new NotComputable('it is too long');
  return new Reader(tokensOf(formula), fields).value();
}

interface Token {
  readonly kind: 'number' | 'name' | 'sign';
  readonly text: string;
}

function tokensOf(formula: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (formula.slice(pattern.lastIndex).trim() !== '') {
    const at = pattern.lastIndex;
    const [, number, name, sign] = pattern.exec(formula) ?? [];
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else throw new NotComputable(`it has more than arithmetic, at "${formula.slice(at).trim().slice(0, 20)}"`);
  }
  return tokens;
}

const functions: Readonly<Record<string, (args: readonly Rational[]) => Rational | undefined>> = {
  abs: ([x, ...more]) => (x === undefined || more.length > 0 ? undefined : x.n < 0n ? negated(x) : x),
  floor: ([x, ...more]) => (x === undefined || more.length > 0 ? undefined : rational(floor(x))),
  ceil: ([x, ...more]) => (x === undefined || more.length > 0 ? undefined : rational(ceil(x))),
  round: ([x, ...more]) => (x === undefined || more.length > 0 ? undefined : rational(round(x))),
  min: (args) =>
    args.reduce<Rational | undefined>((a, b) => (a === undefined || compared(b, a) < 0n ? b : a), undefined),
  max: (args) =>
    args.reduce<Rational | undefined>((a, b) => (a === undefined || compared(b, a) > 0n ? b : a), undefined),
};

/** Recursive descent: sums of products of signed powers, as formulas bind. */
class Reader {
  #at = 0;
  #depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly fields: JsonObject,
  ) {}

  value(): Rational {
    const value = this.#sum();
    if (this.#at < this.tokens.length) throw new NotComputable('it has more than arithmetic');
    return value;
  }

  #takes(sign: string): boolean {
    const token = this.tokens[this.#at];
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.#at += 1;
    return true;
  }

  #sum(): Rational {
    let value = this.#product();
    for (;;) {
      if (this.#takes('+')) value = plus(value, this.#product());
      else if (this.#takes('-')) value = minus(value, this.#product());
      else return value;
    }
  }

  #product(): Rational {
    let value = this.#signed();
    for (;;) {
      if (this.#takes('*')) value = times(value, this.#signed());
      else if (this.#takes('/')) value = dividedBy(value, this.#signed());
      else return value;
    }
  }

  #signed(): Rational {
    if (this.#depth === DEPTH) throw new NotComputable('it nests too deep');
    this.#depth += 1;
    const value = this.#power();
    this.#depth -= 1;
    return value;
  }

  #power(): Rational {
    if (this.#takes('-')) return negated(this.#signed());
    if (this.#takes('+')) return this.#signed();
    const base = this.#atom();
    return this.#takes('^') ? power(base, this.#signed()) : base;
  }

  #atom(): Rational {
    if (this.#takes('(')) {
      const value = this.#sum();
      if (!this.#takes(')')) throw new NotComputable('a parenthesis is not closed');
      return value;
    }
    const token = this.tokens[this.#at];
    this.#at += 1;
    if (token?.kind === 'number') return ofDecimal(token.text) ?? rational(0n);
    if (token?.kind !== 'name') throw new NotComputable('it has more than arithmetic');
    return this.#takes('(') ? this.#call(token.text) : numberIn(this.fields, token.text);
  }

  #call(name: string): Rational {
    const args = [this.#sum()];
    while (this.#takes(',')) args.push(this.#sum());
    if (!this.#takes(')')) throw new NotComputable('a parenthesis is not closed');
    const value = Object.hasOwn(functions, name) ? functions[name]?.(args) : undefined;
    if (value === undefined) throw new NotComputable(`it calls ${name}`);
    return value;
  }
}

/** Names that formulas know without any field. */
const CONSTANTS =
  /^(e|E|pi|PI|tau|phi|i|LN2|LN10|LOG2E|LOG10E|SQRT2|SQRT1_2|Infinity|NaN|true|false|null|undefined|version)$/;

/** A field's number, which may be written as text. */
function numberIn(fields: JsonObject, name: string): Rational {
  const value: Json | undefined = memberOf(fields, name);
  const number =
    typeof value === 'number' ? ofDecimal(String(value)) : typeof value === 'string' ? ofDecimal(value) : undefined;
  if (number !== undefined) return number;
  if (value === undefined && !CONSTANTS.test(name)) throw new WithoutValue(`the documents have no field "${name}"`);
  throw new NotComputable(`its "${name}" is no number`);
}
