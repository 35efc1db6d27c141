/** Numbers in JSON text that a double cannot hold: they would be altered without a word. */

const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
/** With so many digits, a fraction identifies its double: some programs write every number with 17. */
const IDENTIFYING = 17;

export interface AlteredNumber {
  readonly literal: string;
  /** What it would become. */
  readonly becomes: string;
  /** Of the text, from 1. */
  readonly character: number;
}

/** The first number of a valid JSON text that reading would alter; `null` if there is none. */
export function alteredNumber(text: string): AlteredNumber | null {
  for (const { 0: literal, index } of text.matchAll(token)) {
    if (literal.length < 16 && !/[eE]/.test(literal)) continue;
    if (literal.startsWith('"') || isHeld(literal)) continue;
    return { literal: literal.slice(0, 100), becomes: String(Number(literal)), character: index + 1 };
  }
  return null;
}

function isHeld(literal: string): boolean {
  const number = Number(literal);
  if (!Number.isFinite(number)) return false;
  const [written, held] = [normal(literal), normal(String(number))];
  if (written.digits === held.digits && (written.digits === '' || written.exponent === held.exponent)) return true;
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
