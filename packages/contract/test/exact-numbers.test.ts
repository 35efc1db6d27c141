import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alteredNumber } from '../src/exact-numbers.js';

describe('a number in JSON', () => {
  it.each([
    ['9007199254740993', '9007199254740992'],
    ['-9007199254740993', '-9007199254740992'],
    ['123456789.123456789123456789', '123456789.12345679'],
    ['1.000000000000000001', '1'],
    ['1e400', 'Infinity'],
    ['1e-400', '0'],
    ['12345678901234567890', '12345678901234567000'],
  ])('that a double cannot hold is found: %s', (literal, becomes) => {
    expect(alteredNumber(`{"a": ["9007199254740993", ${literal}]}`)).toEqual({ literal, becomes, character: 28 });
  });

  it.each([
    ...[
      '0',
      '-0',
      '0.0000000000000000000',
      '0.1',
      '0.10',
      '1.50e3',
      '1E21',
      '1e22',
      '9007199254740992',
      '100000000000000000000',
    ],
    // As programs write doubles that use 17 digits for each.
    ...['0.10000000000000001', '512.39999999999998', '1.7976931348623157e308', '5e-324'],
  ])('that a double holds passes: %s', (literal) => {
    expect(alteredNumber(`[${literal}]`)).toBeNull();
  });

  it('passes if it is written as JavaScript does', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(alteredNumber(JSON.stringify({ number }))).toBeNull();
      }),
    );
  });

  it('passes within a text, whatever that text has', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(
          alteredNumber(JSON.stringify([`${text}9007199254740993`, { [text + '12345678901234567890']: text }])),
        ).toBeNull();
      }),
    );
  });

  it('is found behind strings with any quotes and backslashes', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('\\', '"', '1') }))), (texts) => {
        const before = JSON.stringify(texts).slice(0, -1) + (texts.length > 0 ? ',' : '');
        const found = alteredNumber(`${before}1e400, 9007199254740993]`);
        expect(found).toEqual({ literal: '1e400', becomes: 'Infinity', character: before.length + 1 });
      }),
    );
  });

  it('takes time in proportion to the text', () => {
    expect(alteredNumber(`[${'"\\\\'.repeat(1)}"${',"a"'.repeat(200_000)}]`)).toBeNull();
  });
});
