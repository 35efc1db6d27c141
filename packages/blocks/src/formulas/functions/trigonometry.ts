/** Trigonometric and hyperbolic functions, their inverses and reciprocals, of angles in radians. */
import { FormulaError } from '../formula-error.js';
import { approximated, real, type Real, type Work } from '../values/index.js';
import { halfTurn } from './constants.js';
import { elementary } from './elementary.js';

type OfNumber = (a: Real, work: Work) => Real;
type Digits = Real['value'];

/** Steps for one call: its cost compared to an addition, measured and rounded up. */
const COST = 100;
const INVERSE_COST = 300;
/** Reducing a larger angle costs more, and it has no fractions of a turn left in a document's number anyway. */
const LARGEST_ANGLE = '1e18';
/** Beyond this, hyperbolic functions exceed the largest number. */
const LARGEST_LOGARITHM = 900;

const one = (): Digits => real(1).value;

const ofAngle =
  (apply: (x: Digits) => Digits, slope: (result: Digits) => Digits): OfNumber =>
  (a, work) => {
    work.spend(COST);
    if (a.abs().gt(real(LARGEST_ANGLE))) throw new FormulaError('An angle is too large');
    return approximated(a, apply, slope);
  };

const hyperbolic =
  (apply: (x: Digits) => Digits, slope: (x: Digits) => Digits): OfNumber =>
  (a, work) => {
    work.spend(COST);
    if (a.abs().gt(LARGEST_LOGARITHM)) throw new FormulaError('A number is too large');
    return approximated(a, apply, () => slope(a.value));
  };

/** `isIn`: whether there is a value. Arguments just outside because they were rounded have that of the edge. */
const inverse =
  (name: string, isIn: (a: Real) => boolean, apply: (x: Digits) => Digits, slope: (a: Real) => Digits): OfNumber =>
  (a, work) => {
    work.spend(INVERSE_COST);
    if (!isIn(a)) throw new FormulaError(`There is no ${name} of ${a.toString()}`);
    return approximated(a, apply, () => slope(a));
  };

/** One divided by the root of a number that may be 0 within the error of the argument. */
const steep = (squared: Digits, { error }: Real): Digits =>
  one().dividedBy((squared.gt(error) ? squared : error).sqrt());

const clamped = (x: Digits): Digits => (x.gt(1) ? one() : x.lt(-1) ? one().negated() : x);
const atLeastOne = (x: Digits): Digits => (x.lt(1) ? one() : x);
const isWithinOne = (a: Real): boolean => a.abs().lte(1);

const sin = ofAngle((x) => x.sin(), one);
const cos = ofAngle((x) => x.cos(), one);
const sinh = hyperbolic(
  (x) => x.sinh(),
  (x) => x.cosh(),
);
const cosh = hyperbolic(
  (x) => x.cosh(),
  (x) => x.sinh(),
);
const tanh: OfNumber = (a, work) => quotient(sinh(a, work), cosh(a, work));
const tan: OfNumber = (a, work) => quotient(sin(a, work), cos(a, work));

function quotient(a: Real, b: Real): Real {
  if (b.isZero()) throw new FormulaError('It divides by zero');
  return a.dividedBy(b);
}

const asin = inverse(
  'arcsine',
  isWithinOne,
  (x) => clamped(x).asin(),
  (a) => steep(one().minus(a.value.times(a.value)), a),
);
const acos = inverse(
  'arccosine',
  isWithinOne,
  (x) => clamped(x).acos(),
  (a) => steep(one().minus(a.value.times(a.value)), a),
);
const atan = inverse(
  'arctangent',
  () => true,
  (x) => x.atan(),
  one,
);
const asinh = inverse(
  'inverse hyperbolic sine',
  () => true,
  (x) => x.asinh(),
  one,
);
const acosh = inverse(
  'inverse hyperbolic cosine',
  (a) => a.gte(1),
  (x) => atLeastOne(x).acosh(),
  (a) => steep(a.value.times(a.value).minus(1), a),
);
const atanh = inverse(
  'inverse hyperbolic tangent',
  (a) => a.abs().lt(1),
  (x) => x.atanh(),
  (a) => one().dividedBy(one().minus(a.value.times(a.value))),
);

/** The angle of the point (x, y), from -pi to pi. */
export function atan2(y: Real, x: Real, work: Work): Real {
  if (x.isZero()) {
    const up = y.comparedTo(0);
    return up === 0 ? real(0) : halfTurn().dividedBy(2).times(real(up));
  }
  const angle = atan(y.dividedBy(x), work);
  if (x.gt(0)) return angle;
  return y.isNegative() ? angle.minus(halfTurn()) : angle.plus(halfTurn());
}

const reciprocal =
  (of: OfNumber): OfNumber =>
  (a, work) =>
    quotient(real(1), of(a, work));
const ofReciprocal =
  (of: OfNumber): OfNumber =>
  (a, work) =>
    of(quotient(real(1), a), work);

export const trigonometry = {
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  sec: reciprocal(cos),
  csc: reciprocal(sin),
  cot: reciprocal(tan),
  sech: reciprocal(cosh),
  csch: reciprocal(sinh),
  coth: reciprocal(tanh),
  asec: ofReciprocal(acos),
  acsc: ofReciprocal(asin),
  acot: ofReciprocal(atan),
} satisfies Record<string, OfNumber>;

/** `log(1 + a)`, and `exp(a) - 1`. */
export const log1p: OfNumber = (a, work) => elementary.ln(a.plus(real(1)), work);
export const expm1: OfNumber = (a, work) => elementary.exp(a, work).minus(real(1));
