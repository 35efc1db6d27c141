/** Exact numbers: fractions of whole numbers. */

/** Digits beyond which a number is refused, so that no formula takes for ever. */
const DIGITS = 2_000;

/** Beyond this, not even the divisor is looked for, which takes quadratic time: twice the digits, and some. */
const LIMIT = 10n ** BigInt(2 * DIGITS + 10);

export interface Rational {
  readonly n: bigint;
  /** Positive. */
  readonly d: bigint;
}

/** The formula is beyond this program. */
export class NotComputable extends Error {}

/** The formula has no value for the subject, so the engine cannot have had one either. */
export class WithoutValue extends Error {}

export const rational = (n: bigint, d = 1n): Rational => {
  if (d === 0n) throw new WithoutValue('it divides by zero');
  if (isHuge(n) || isHuge(d)) throw new NotComputable('its numbers grow too large');
  const sign = d < 0n ? -1n : 1n;
  const by = gcd(n < 0n ? -n : n, d < 0n ? -d : d) * sign;
  const reduced = { n: n / by, d: d / by };
  if (reduced.n.toString().length > DIGITS || reduced.d.toString().length > DIGITS) {
    throw new NotComputable('its numbers grow too large');
  }
  return reduced;
};

const isHuge = (number: bigint): boolean => number > LIMIT || number < -LIMIT;

/** Of decimal text, with or without exponent; `undefined` for other texts. */
export function ofDecimal(text: string): Rational | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text.trim()) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  if (whole.length + fraction.length > DIGITS) throw new NotComputable('its numbers grow too large');
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const shift = Number(exponent) - fraction.length;
  if (Math.abs(shift) > DIGITS) throw new NotComputable('its numbers grow too large');
  return shift >= 0 ? rational(digits * 10n ** BigInt(shift)) : rational(digits, 10n ** BigInt(-shift));
}

export const plus = (a: Rational, b: Rational): Rational => rational(a.n * b.d + b.n * a.d, a.d * b.d);
export const minus = (a: Rational, b: Rational): Rational => rational(a.n * b.d - b.n * a.d, a.d * b.d);
export const times = (a: Rational, b: Rational): Rational => rational(a.n * b.n, a.d * b.d);
export const dividedBy = (a: Rational, b: Rational): Rational => rational(a.n * b.d, a.d * b.n);
export const negated = ({ n, d }: Rational): Rational => ({ n: -n, d });
export const compared = (a: Rational, b: Rational): bigint => a.n * b.d - b.n * a.d;

export const floor = ({ n, d }: Rational): bigint => n / d - (n < 0n && n % d !== 0n ? 1n : 0n);
export const ceil = (value: Rational): bigint => -floor(negated(value));

/** To the nearest whole number, halves away from zero. */
export function round(value: Rational): bigint {
  const half = rational(1n, 2n);
  return value.n < 0n ? ceil(minus(value, half)) : floor(plus(value, half));
}

/** Whole exponents only: other powers have no exact value. */
export function power(base: Rational, exponent: Rational): Rational {
  const most = 64n;
  if (exponent.d !== 1n || exponent.n > most || exponent.n < -most) {
    throw new NotComputable('it has a power that is not a small whole number');
  }
  const size = exponent.n < 0n ? -exponent.n : exponent.n;
  const [n, d] = [base.n ** size, base.d ** size];
  return exponent.n < 0n ? rational(d, n) : rational(n, d);
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}
