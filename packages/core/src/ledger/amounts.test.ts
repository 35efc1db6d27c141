import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_UNITS } from '../records/index.js';
import { amountOf, unitsOf } from './amounts.js';

const decimals = fc.integer({ min: 0, max: 18 });
const units = fc.bigInt({ min: 0n, max: MAX_UNITS });

/** Half up, worked out with whole numbers alone: `digits * 10^exponent` in units of `10^-decimals`. */
function roundedHalfUp(digits: bigint, exponent: number, places: number): bigint {
  const shift = exponent + places;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (2n * digits + divisor) / (2n * divisor);
}

describe('units of an amount', () => {
  it('rounds half a unit up, exactly', () => {
    expect(unitsOf('12.34565', 4)).toBe(123457n);
    expect(unitsOf('12.34564999', 4)).toBe(123456n);
    expect(unitsOf('0.5', 0)).toBe(1n);
    expect(unitsOf('0.49999999999999999999', 0)).toBe(0n);
    expect(unitsOf('1.005', 2)).toBe(101n);
  });

  it('reads every form in which JavaScript writes numbers, and text around it', () => {
    const forms: [string, bigint][] = [
      ['1e3', 100_000n],
      ['1.5E+2', 15_000n],
      ['25e-1', 250n],
      ['.5', 50n],
      ['7.', 700n],
      ['+3', 300n],
      [' 3 ', 300n],
      ['0003', 300n],
      ['-0', 0n],
      ['0e99999', 0n],
      ['1e-99999', 0n],
    ];
    for (const [text, expected] of forms) expect([text, unitsOf(text, 2)]).toEqual([text, expected]);
  });

  it('refuses what is no amount, and says what it was', () => {
    const wrong = ['', ' ', '.', 'e5', 'NaN', 'Infinity', '-1', '-0.001', '1,5', '0x10', '1 2', '1e', '1e9999999', '٣'];
    for (const text of wrong) {
      expect(() => unitsOf(text, 2), text).toThrow(
        expect.objectContaining({ code: 'AMOUNT_INVALID', facts: expect.objectContaining({ amount: `"${text}"` }) }),
      );
    }
  });

  it('takes the most units that can exist, and not one more', () => {
    expect(MAX_UNITS).toBe(9_223_372_036_854_775_807n);
    expect(unitsOf(MAX_UNITS.toString(), 0)).toBe(MAX_UNITS);
    for (const text of [(MAX_UNITS + 1n).toString(), '1e19', '1e999999', '9'.repeat(400), '9'.repeat(401)]) {
      expect(() => unitsOf(text, 0)).toThrow(expect.objectContaining({ code: 'AMOUNT_INVALID' }));
    }
  });

  it('says why an amount is refused, and quotes at most 60 characters of it', () => {
    const refused = (text: string, reason: string, amount = `"${text}"`) =>
      expect(() => unitsOf(text, 2)).toThrow(
        expect.objectContaining({ code: 'AMOUNT_INVALID', facts: { amount, reason } }),
      );
    const tooMuch = 'which is more than a token with 2 decimals can have, 92233720368547758.07';
    refused('twelve', 'which is no decimal number');
    refused('-1', 'which is negative');
    refused('92233720368547758.08', tooMuch);
    refused('1e300000', tooMuch);
    refused('9'.repeat(60), tooMuch);
    refused('9'.repeat(61), tooMuch, `"${'9'.repeat(60)}…"`);
    refused('x'.repeat(61), 'which is no decimal number', `"${'x'.repeat(60)}…"`);
  });

  it('reads texts of up to 400 characters', () => {
    expect(unitsOf('1'.padStart(400, '0'), 2)).toBe(100n);
    expect(() => unitsOf('1'.padStart(401, '0'), 2)).toThrow(expect.objectContaining({ code: 'AMOUNT_INVALID' }));
    expect(unitsOf(` ${'1'.padStart(400, '0')} `, 2)).toBe(100n);
  });

  it('ignores leading zeros when it measures how large a number is', () => {
    expect(unitsOf(`${'0'.repeat(30)}5.${'0'.repeat(30)}`, 2)).toBe(500n);
    expect(unitsOf('0.005', 2)).toBe(1n);
    expect(unitsOf('0.05', 2)).toBe(5n);
  });

  it('is the same as rounding the exact number half up, for any text', () => {
    const number = fc.record({
      digits: fc.bigInt({ min: 0n, max: 10n ** 30n }),
      exponent: fc.integer({ min: -40, max: 5 }),
    });
    fc.assert(
      fc.property(number, decimals, ({ digits, exponent }, places) => {
        const expected = roundedHalfUp(digits, exponent, places);
        const read = () => unitsOf(`${String(digits)}e${String(exponent)}`, places);
        if (expected > MAX_UNITS) expect(read).toThrow(expect.objectContaining({ code: 'AMOUNT_INVALID' }));
        else expect(read()).toBe(expected);
      }),
    );
  });

  it('is the same as Math.round for whole tokens, wherever a number is exact', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (quarters) => {
        expect(unitsOf(String(quarters / 4), 0)).toBe(BigInt(Math.round(quarters / 4)));
      }),
    );
  });
});

describe('the amount of units', () => {
  it('has exactly as many digits after the point as the token', () => {
    expect(amountOf(123457n, 4)).toBe('12.3457');
    expect(amountOf(5n, 3)).toBe('0.005');
    expect(amountOf(12n, 0)).toBe('12');
    expect(amountOf(-5n, 2)).toBe('-0.05');
    expect(amountOf(0n, 2)).toBe('0.00');
  });

  it('leads back to the units', () => {
    fc.assert(
      fc.property(units, decimals, (units, places) => {
        const amount = amountOf(units, places);
        expect(unitsOf(amount, places)).toBe(units);
        expect(amount.split('.')[1]?.length ?? 0).toBe(places);
      }),
    );
  });
});
