/** The kinds of functions: of numbers, of texts, of truth values, each also for the elements of lists. */
import { FormulaError } from '../formula-error.js';
import { bounded, real, describe, toNumber, type Real, type Value, type Work } from '../values/index.js';
import { calculate } from './arithmetic.js';
import { compare, isTrue, weighTexts } from './comparison.js';
import { each, eachPair } from './elementwise.js';
import type { Arithmetic, Comparison } from './operators.js';

export interface FormulaFunction {
  /** Fewest and most arguments. */
  readonly takes: readonly [number, number];
  readonly apply: (args: readonly Value[], work: Work) => Value;
}

/** No upper limit of arguments. */
export const MANY = Number.POSITIVE_INFINITY;

export const ofOne = (apply: (a: Real, work: Work) => Real): FormulaFunction => ({
  takes: [1, 1],
  apply: ([a = null], work) =>
    each(a, work, (value) => {
      work.spend(1);
      return bounded(apply(toNumber(value), work));
    }),
});

/** The second number is optional if there is a default. */
export const ofTwo = (apply: (a: Real, b: Real, work: Work) => Real, fallback?: number): FormulaFunction => ({
  takes: [fallback === undefined ? 2 : 1, 2],
  apply: ([a = null, b = real(fallback ?? 0)], work) =>
    eachPair(a, b, work, (x, y) => {
      work.spend(1);
      return bounded(apply(toNumber(x), toNumber(y), work));
    }),
});

export const operator = (name: Arithmetic, most = 2): FormulaFunction => ({
  takes: [2, most],
  apply: ([first = null, ...rest], work) => rest.reduce((a, b) => calculate(name, a, b, work), first),
});

export const comparison = (name: Comparison): FormulaFunction => ({
  takes: [2, 2],
  apply: ([a = null, b = null], work) => compare(name, a, b, work),
});

export const ofTexts = (apply: (a: string, b: string) => Value): FormulaFunction => ({
  takes: [2, 2],
  apply: ([a = null, b = null], work) =>
    eachPair(a, b, work, (x, y) => {
      weighTexts(x, y, work);
      if (typeof x !== 'string' || typeof y !== 'string') {
        throw new FormulaError(`${describe(typeof x === 'string' ? y : x)} is not a text`);
      }
      return apply(x, y);
    }),
});

export const logical = (takes: number, apply: (args: readonly boolean[]) => boolean): FormulaFunction => ({
  takes: [takes, takes],
  apply: (args) => apply(args.map(isTrue)),
});
