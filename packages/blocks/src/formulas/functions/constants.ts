/** Constants, known to 64 digits. */
import { Real, real } from '../values/index.js';

const digits = new Map([
  ['pi', '3.141592653589793238462643383279502884197169399375105820974944592'],
  ['PI', '3.141592653589793238462643383279502884197169399375105820974944592'],
  ['tau', '6.283185307179586476925286766559005768394338798750211641949889185'],
  ['e', '2.718281828459045235360287471352662497757247093699959574966967628'],
  ['phi', '1.618033988749894848204586834365638117720309179805762862135448623'],
  ['LN2', '0.6931471805599453094172321214581765680755001343602552541206800095'],
  ['LN10', '2.302585092994045684017991454684364207601101488628772976033327901'],
  ['SQRT2', '1.414213562373095048801688724209698078569671875376948073176679738'],
]);

export const isConstantName = (name: string): boolean => digits.has(name);

export function constantNamed(name: string): Real | undefined {
  const constant = digits.get(name);
  return constant === undefined ? undefined : Real.ofAmount(constant);
}

/** A function, since the library of numbers is loaded with the first formula. */
export const halfTurn = (): Real => constantNamed('pi') ?? real(0);
