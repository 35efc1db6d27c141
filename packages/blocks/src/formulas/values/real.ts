/**
 * Numbers of formulas: exact as long as they come from decimals by addition, multiplication, division and whole powers,
 * otherwise with 64 digits and a bound of their error. Numbers whose errors overlap count as equal.
 */
import Fraction from 'fraction.js';
import { decimal } from './mathjs.js';
import { PRECISION, type Decimal } from './parts.js';

/** Relative error of a rounded operation on 64 digits, with room for several that a function takes. */
const ROUNDED = '1e-62';
/** Half the distance between neighbouring numbers of JSON, relative to them. */
const JSON_ERROR = '1.2e-16';
/** A numerator or denominator beyond this makes way for a rounded decimal: larger ones cost more than they are worth. */
const LARGEST = 2n ** 512n;
/** An exact amount has at most this many digits; a longer one was rounded. */
const EXACT_DIGITS = PRECISION - 4;

export class Real {
  #decimal: Decimal | null;
  #fraction: Fraction | null;
  /** At most this far from the true number; `null` for an exact one. */
  readonly #error: Decimal | null;

  private constructor(number: Decimal | null, fraction: Fraction | null, error: Decimal | null) {
    this.#decimal = number;
    this.#fraction = fraction;
    this.#error = error;
  }

  /** Exactly this decimal. */
  static of(number: Decimal): Real {
    return new Real(number, null, null);
  }

  /** A number of JSON: a double, which its writer may have rounded if it has more than 15 digits. */
  static ofJson(number: number): Real {
    const value = decimal(number);
    const isRounded = value.precision() > 15 && !Number.isSafeInteger(number);
    return isRounded ? new Real(value, null, value.abs().times(JSON_ERROR)) : Real.of(value);
  }

  /** Text of `toFixed`: an amount that was rounded to 64 digits is known up to its last ones. */
  static ofAmount(text: string): Real {
    const value = decimal(text);
    const isRounded = value.precision() > EXACT_DIGITS && !value.isInteger();
    return isRounded ? rounded(value) : Real.of(value);
  }

  static inexact(value: Decimal, error: Decimal): Real {
    return new Real(value, null, error.plus(value.abs().times(ROUNDED)));
  }

  static #ofFraction(fraction: Fraction): Real | null {
    const { n, d } = fraction;
    if (n > LARGEST || d > LARGEST) return null;
    return d === 1n ? Real.of(decimal(String(fraction.s * n))) : new Real(null, fraction, null);
  }

  /** To 64 digits. */
  get value(): Decimal {
    if (this.#decimal === null) {
      const { s, n, d } = this.#fraction ?? { s: 1n, n: 0n, d: 1n };
      this.#decimal = decimal(String(s * n)).dividedBy(decimal(String(d)));
    }
    return this.#decimal;
  }

  get error(): Decimal {
    return this.#error ?? decimal(0);
  }

  get isExact(): boolean {
    return this.#error === null;
  }

  /** Whether it is exact but no decimal; calculating with it costs more. */
  get isFraction(): boolean {
    return this.#fraction !== null && this.#decimal?.isInteger() !== true;
  }

  plus(other: Real): Real {
    if (this.#isDecimal && other.#isDecimal && fitTogether(this.value, other.value))
      return Real.of(this.value.plus(other.value));
    const exact = this.#exactly(other, (a, b) => a.add(b));
    return exact ?? Real.inexact(this.value.plus(other.value), this.error.plus(other.error));
  }

  minus(other: Real): Real {
    return this.plus(other.negated());
  }

  times(other: Real): Real {
    const [a, b] = [this.value, other.value];
    if (this.#isDecimal && other.#isDecimal && a.precision() + b.precision() <= PRECISION) return Real.of(a.times(b));
    const exact = this.#exactly(other, (x, y) => x.mul(y));
    return exact ?? Real.inexact(a.times(b), a.abs().times(other.error).plus(b.abs().times(this.error)));
  }

  /** `other` is not zero. */
  dividedBy(other: Real | number): Real {
    const by = typeof other === 'number' ? real(other) : other;
    const exact = this.#exactly(by, (a, b) => a.div(b));
    if (exact !== null) return exact;
    const quotient = this.value.dividedBy(by.value);
    return Real.inexact(quotient, this.error.plus(quotient.abs().times(by.error)).dividedBy(by.value.abs()));
  }

  /** `null` for powers that are not whole, or too large to be exact. */
  wholePower(exponent: Real): Real | null {
    if (!this.isExact || !exponent.isExact || !exponent.value.isInteger() || exponent.value.abs().gt(512)) return null;
    const power = exponent.value.toNumber();
    const fraction = this.#asFraction();
    if (fraction === null) return null;
    const digits = Math.max(fraction.n.toString(2).length, fraction.d.toString(2).length);
    if (digits * Math.abs(power) > 512) return null;
    return power < 0 && fraction.n === 0n ? null : Real.#ofFraction(fraction.pow(power));
  }

  negated(): Real {
    return new Real(this.#decimal?.negated() ?? null, this.#fraction?.neg() ?? null, this.#error);
  }

  abs(): Real {
    return this.isNegative() ? this.negated() : this;
  }

  floor(): Real {
    return Real.of(this.#nearWhole() ?? this.#exactWhole((fraction) => fraction.floor()) ?? this.value.floor());
  }

  ceil(): Real {
    return Real.of(this.#nearWhole() ?? this.#exactWhole((fraction) => fraction.ceil()) ?? this.value.ceil());
  }

  trunc(): Real {
    return this.isNegative() ? this.ceil() : this.floor();
  }

  /** Half away from zero. */
  toDecimalPlaces(places: number): Real {
    const scale = Real.of(decimal(10).pow(places));
    const shifted = this.times(scale);
    const half = real(0.5);
    const whole = shifted.isNegative() ? shifted.minus(half).ceil() : shifted.plus(half).floor();
    return whole.dividedBy(scale);
  }

  comparedTo(other: Real | number): -1 | 0 | 1 {
    const with_ = typeof other === 'number' ? real(other) : other;
    if (this.isExact && with_.isExact) {
      const [a, b] = [this.#asFractionIfNeeded(with_), with_.#asFractionIfNeeded(this)];
      const order = a !== null && b !== null ? a.compare(b) : this.value.comparedTo(with_.value);
      return order < 0 ? -1 : order > 0 ? 1 : 0;
    }
    const difference = this.value.minus(with_.value);
    // Twice, since the bound itself is rounded.
    if (difference.abs().lte(this.error.plus(with_.error).times(2))) return 0;
    return difference.isNegative() ? -1 : 1;
  }

  eq(other: Real | number): boolean {
    return this.comparedTo(other) === 0;
  }

  gt(other: Real | number): boolean {
    return this.comparedTo(other) > 0;
  }

  lt(other: Real | number): boolean {
    return this.comparedTo(other) < 0;
  }

  lte(other: Real | number): boolean {
    return this.comparedTo(other) <= 0;
  }

  gte(other: Real | number): boolean {
    return this.comparedTo(other) >= 0;
  }

  isZero(): boolean {
    return this.eq(0);
  }

  /** Of a number that is not zero; zero has no sign here. */
  isNegative(): boolean {
    return (this.#fraction === null ? this.value.isNegative() : this.#fraction.s < 0n) && !this.value.isZero();
  }

  isInteger(): boolean {
    return this.#nearWhole() !== null || (this.#fraction === null && this.value.isInteger());
  }

  /** The nearest JSON number. */
  toNumber(): number {
    return this.#written().toNumber();
  }

  /** Decimal text without an exponent, to 64 digits, without those that are known to be wrong. */
  toFixed(): string {
    return this.#written().toFixed();
  }

  toString(): string {
    return this.#written().toString();
  }

  get #isDecimal(): boolean {
    return this.isExact && this.#fraction === null;
  }

  /** What is left of the digits of a number with an error, if that is a much shorter number. */
  #written(): Decimal {
    const { value, error } = this;
    if (this.isExact || error.isZero()) return value;
    const places = Math.max(0, -error.times(2).e - 1);
    const short = value.toDecimalPlaces(places);
    return short.precision() + 4 <= value.precision() ? short : value;
  }

  #exactly(other: Real, apply: (a: Fraction, b: Fraction) => Fraction): Real | null {
    if (!this.isExact || !other.isExact) return null;
    const [a, b] = [this.#asFraction(), other.#asFraction()];
    return a === null || b === null ? null : Real.#ofFraction(apply(a, b));
  }

  #asFractionIfNeeded(other: Real): Fraction | null {
    return this.#fraction === null && other.#fraction === null ? null : this.#asFraction();
  }

  /** `null` for a decimal that is too large or too small. */
  #asFraction(): Fraction | null {
    if (this.#fraction !== null) return this.#fraction;
    const { value } = this;
    if (Math.abs(value.e) + value.precision() > 150) return null;
    const places = Math.max(0, value.decimalPlaces());
    const digits = BigInt(value.times(decimal(10).pow(places)).toFixed(0));
    return new Fraction(digits, 10n ** BigInt(places));
  }

  /** The whole number that it may be. */
  #nearWhole(): Decimal | null {
    if (this.isExact) return null;
    const whole = this.value.round();
    return this.value.minus(whole).abs().lte(this.error.times(2)) ? whole : null;
  }

  #exactWhole(rounding: (fraction: Fraction) => Fraction): Decimal | null {
    if (this.#fraction === null) return null;
    const { s, n } = rounding(this.#fraction);
    return decimal(String(s * n));
  }
}

const rounded = (value: Decimal): Real => Real.inexact(value, decimal(0));

/** Exactly this number. */
export const real = (value: string | number | Decimal): Real => Real.of(decimal(value));

/** Whether the sum of two decimals has no more digits than are calculated. */
function fitTogether(a: Decimal, b: Decimal): boolean {
  if (a.isZero() || b.isZero()) return true;
  const lowest = Math.min(a.e - a.precision(), b.e - b.precision());
  return Math.max(a.e, b.e) - lowest < PRECISION;
}

/** A function of real numbers, on 64 digits. `slope`: of the function there, which passes the error of its argument on. */
export function approximated(
  argument: Real,
  apply: (a: Decimal) => Decimal,
  slope: (result: Decimal) => Decimal,
): Real {
  const result = apply(argument.value);
  const { error } = argument;
  return Real.inexact(result, error.isZero() ? error : slope(result).abs().times(error));
}
