import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareAt, compareValues } from './order.js';

/** From the first to the last; values in one row are equal. */
const ranking: readonly (readonly unknown[])[] = [
  [null, undefined],
  [false],
  [true],
  [-Number.MAX_VALUE],
  [-1],
  [0, -0],
  [Number.MIN_VALUE],
  [2],
  [10],
  [Number.MAX_VALUE],
  [''],
  ['10'],
  ['2'],
  ['B'],
  ['a'],
  ['ä'],
  ['\u{1F600}'],
  ['\uFFFD'],
  [['a']],
  [
    [1, 2],
    [1, 2],
  ],
  [{ a: 1 }, { a: 1 }],
  [{ b: 0 }],
];

const anything = fc.oneof(
  fc.constantFrom(...ranking.flat()),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
  fc.constant(undefined),
);
const textOf = (...values: unknown[]): string => values.map((value) => JSON.stringify(value)).join(' and ');
const sign = (value: number): number => Math.sign(value) + 0;

describe('the order of values', () => {
  it('is nothing, false, true, numbers, texts by code units, then lists and objects', () => {
    for (const [at, row] of ranking.entries()) {
      for (const [other, against] of ranking.entries()) {
        for (const a of row)
          for (const b of against) expect(sign(compareValues(a, b)), textOf(a, b)).toBe(sign(at - other));
      }
    }
  });

  it('is the same read backwards', () => {
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        expect(sign(compareValues(a, b))).toBe(sign(-compareValues(b, a)));
      }),
    );
  });

  it('is reflexive: a value equals itself and its copy', () => {
    fc.assert(
      fc.property(anything, (a) => {
        expect(compareValues(a, a)).toBe(0);
        expect(compareValues(a, structuredClone(a))).toBe(0);
      }),
    );
  });

  it('is transitive: what comes before a second one, or equals it, comes so before all that the second comes before', () => {
    fc.assert(
      fc.property(anything, anything, anything, (a, b, c) => {
        for (const [x, y, z] of [
          [a, b, c],
          [b, c, a],
          [c, a, b],
        ]) {
          if (compareValues(x, y) <= 0 && compareValues(y, z) <= 0)
            expect(compareValues(x, z), textOf(x, y, z)).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('sorts the same values in one way, however they were mixed before', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ranking.flat(), { minLength: ranking.flat().length }), (mixed) => {
        const records = mixed.map((value) => ({ value })).sort((a, b) => compareAt(a, b, 'value'));
        const places = records.map(({ value }) => ranking.findIndex((row) => row.includes(value)));
        expect(places).toEqual(ranking.flatMap((row, at) => row.map(() => at)));
      }),
    );
  });

  it('never leaves a pair undecided', () => {
    fc.assert(fc.property(anything, anything, (a, b) => !Number.isNaN(compareValues(a, b))));
  });

  it('of records is that of their values at the path, and a missing path is nothing', () => {
    expect(compareAt({ a: { n: 2 } }, { a: { n: 10 } }, 'a.n')).toBeLessThan(0);
    expect(compareAt({ a: 1 }, { a: 'x' }, 'a.n')).toBe(0);
    expect(compareAt({}, { a: { n: false } }, 'a.n')).toBeLessThan(0);
  });
});
