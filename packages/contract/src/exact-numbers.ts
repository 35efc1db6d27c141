/** Numbers that a double cannot hold: reading alters them without a word, and amounts depend on every digit. */

const numbers = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
/** What a double may not hold has so many digits, or an exponent. */
const candidate = /[\d.]{15}|\d[eE]/;
/** With so many digits, a fraction identifies its double: some programs write every number with 17. */
const IDENTIFYING = 17;

/** A number in a JSON text, and what reading makes of it. */
export interface AlteredNumber {
  readonly literal: string;
  /** What it would become. */
  readonly becomes: string;
  /** Of the text, from 1. */
  readonly character: number;
}

/**
 * The first number of a valid JSON text that reading would alter; `null` if there is none. Takes a small part of the time of parsing:
 * strings are skipped and not read.
 *
 * @example alteredNumber('[1, 1e400]'); // { literal: '1e400', becomes: 'Infinity', character: 5 }
 */
export function alteredNumber(text: string): AlteredNumber | null {
  if (!candidate.test(text)) return null;
  for (let from = 0; from < text.length;) {
    const quote = text.indexOf('"', from);
    const end = quote === -1 ? text.length : quote;
    const between = text.slice(from, end);
    for (const { 0: literal, index } of candidate.test(between) ? between.matchAll(numbers) : []) {
      if (isExact(literal)) continue;
      return { literal: literal.slice(0, 100), becomes: String(Number(literal)), character: from + index + 1 };
    }
    from = quote === -1 ? end : endOfString(text, quote);
  }
  return null;
}

/** Behind the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = start; ;) {
    quote = text.indexOf('"', quote + 1);
    if (quote === -1) return text.length;
    let first = quote;
    while (text[first - 1] === '\\') first -= 1;
    const isEscaped = (quote - first) % 2 === 1;
    if (!isEscaped) return quote + 1;
  }
}

/**
 * Whether a double holds the number, written as in JSON, to its last digit.
 *
 * @example isExact('9007199254740993'); // false
 */
export function isExact(literal: string): boolean {
  const number = Number(literal);
  if (!Number.isFinite(number)) return false;
  const [written, parsed] = [normal(literal), normal(String(number))];
  if (written.digits === parsed.digits && (written.digits === '' || written.exponent === parsed.exponent)) return true;
  const isWhole = written.exponent >= 0;
  return !isWhole && number !== 0 && written.digits.length <= IDENTIFYING;
}

/** The digits of a number without zeros at either end, and the power of ten of the last one. */
function normal(literal: string): { readonly digits: string; readonly exponent: number } {
  const [, whole = '', fraction = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(literal) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  return { digits, exponent: Number(power) - fraction.length + all.length - digits.length };
}
