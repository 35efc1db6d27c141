/** The arithmetic of formulas against rational numbers: nothing is lost by a division, and no amount is wrong by one. */
import type { Json } from '@blockwork/core/block';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounded } from '../tokens/amount-of.js';
import { amount, formula } from './index.js';

const value = (expression: string, scope = {}): Json => formula(expression).evaluate(scope);
const divided = (a: bigint, b: bigint) => ({ floor: a / b, ceil: (a + b - 1n) / b, nearest: (2n * a + b) / (2n * b) });
const quantity = fc.integer({ min: 1, max: 10_000 });
const divisor = fc.integer({ min: 1, max: 366 });

/** What every rounding of a quotient, and of one that is multiplied again, must give. */
const roundings = formula(
  '[floor(q / d), ceil(q / d), round(q / d), floor(q / d * d), ceil(q / d * d), round(q / d * d), floor(q / d * m), ceil(q / d * m), round(q / d * m)]',
);
const expected = (q: number, d: number, m: number): number[] => {
  const [once, again] = [divided(BigInt(q), BigInt(d)), divided(BigInt(q) * BigInt(m), BigInt(d))];
  return [once.floor, once.ceil, once.nearest, q, q, q, again.floor, again.ceil, again.nearest].map(Number);
};

describe('a quotient', () => {
  it.each([3, 60, 365, 366, 7, 11])('by %i loses nothing, for each quantity up to 1,000', (d) => {
    for (let q = 1; q <= 1_000; q += 1) {
      expect(roundings.evaluate({ q, d, m: 60 }), String(q)).toEqual(expected(q, d, 60));
      expect(value('[q/d*d >= q, q/d*d <= q, q/d*d == q, q/d*d > q, q/d*d < q]', { q, d })).toEqual([
        ...[true, true, true],
        ...[false, false],
      ]);
    }
  });

  it('is rounded and compared as rational numbers are', () => {
    fc.assert(
      fc.property(quantity, divisor, quantity, divisor, (q, d, p, m) => {
        expect(roundings.evaluate({ q, d, m })).toEqual(expected(q, d, m));
        const order = Math.sign(q * m - p * d);
        expect(value('compare(q / d, p / m)', { q, d, p, m })).toBe(order);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives exact units of a token, whatever its decimals', () => {
    fc.assert(
      fc.property(quantity, divisor, fc.integer({ min: 0, max: 8 }), (q, d, decimals) => {
        const exact = divided(BigInt(q) * 10n ** BigInt(decimals), BigInt(d));
        const units = (text: string): bigint => BigInt((Number(text) * 10 ** decimals).toFixed(0));
        const text = amount('q / d', { q, d });
        expect(units(rounded(text, decimals, 'floor'))).toBe(exact.floor);
        expect(units(rounded(text, decimals, 'ceiling'))).toBe(exact.ceil);
        expect(rounded(amount('q / d * d', { q, d }), decimals, 'ceiling')).toBe(String(q));
      }),
      { numRuns: 1_000 },
    );
  });

  it('that is added up and brought back is whole again', () => {
    fc.assert(
      fc.property(divisor, (d) => {
        const parts = Array.from({ length: d }, () => '1');
        expect(amount('sum(x ./ d)', { x: parts, d })).toBe('1');
        expect(value('sum(x ./ d) == 1', { x: parts, d })).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('what cannot be exact', () => {
  it.each<[string, Json]>([
    ['floor(1000^(1/3))', 10],
    ['ceil(1000^(1/3))', 10],
    ['floor(exp(log(5)))', 5],
    ['floor(log(1000, 10))', 3],
    ['floor(log10(1000) + log2(8))', 6],
    ['sqrt(2)^2 == 2', true],
    ['sqrt(2)^2 > 2', false],
    ['floor(sqrt(2)^2)', 2],
    ['round(1000^(1/3) / 4)', 3],
    ['sqrt(2) * sqrt(8) - 4 == 0', true],
    ['0.1 ^ 2 == 0.01', true],
    ['2 ^ -2', 0.25],
  ])('is as near as its error to what it should be: %s', (expression, wanted) => {
    expect(value(expression)).toEqual(wanted);
  });

  it('is written without the digits that are wrong', () => {
    expect(amount('1000^(1/3)', {})).toBe('10');
    expect(amount('sqrt(2) ^ 2', {})).toBe('2');
  });

  it('counts for numbers of JSON with all their digits, which their writers have rounded', () => {
    const third = 1 / 3;
    expect(value('sum(x) >= 1', { x: [third, third, third] })).toBe(true);
    expect(amount('sum(x)', { x: [third, third, third] })).toBe('1');
    expect(amount('x', { x: third })).toBe('0.3333333333333333');
    expect(amount('x', { x: 12345678901234.566 })).toBe('12345678901234.566');
  });

  it('does not make different numbers equal', () => {
    expect(value('x == y', { x: 1234567890123456, y: 1234567890123457 })).toBe(false);
    expect(value('x == y', { x: '1.0000000000000000000000000001', y: 1 })).toBe(false);
    expect(value('x == 0', { x: 1.234567890123456e-16 })).toBe(false);
    expect(value('sqrt(2) == 1.4142135623730951')).toBe(false);
  });
});
