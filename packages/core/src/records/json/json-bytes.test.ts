import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceedsJsonBytes, jsonBytes, jsonBytesAtMost } from './json-bytes.js';

/** Also texts that grow most when they are written: of control characters, and of halves of pairs. */
const json = fc.oneof(
  fc.jsonValue({ stringUnit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))),
  fc.dictionary(
    fc.constantFrom('\u0000', '\ud800', '"', '\\', 'key', '__proto__'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ),
);

describe('the bytes of a value as JSON', () => {
  it('are never more than the estimate', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(jsonBytesAtMost(value)).toBeGreaterThanOrEqual(jsonBytes(value));
      }),
    );
    for (const value of [-1.7976931348623157e308, 5e-324, '\u0000'.repeat(9), '\udfff', { '\u0001': [[], {}, null] }]) {
      expect(jsonBytesAtMost(value)).toBeGreaterThanOrEqual(jsonBytes(value));
    }
  });

  it('exceed a limit from the first byte on', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: -3, max: 3 }), (value, distance) => {
        const bytes = jsonBytes(value);
        expect(exceedsJsonBytes(value, bytes + distance)).toBe(distance < 0);
      }),
    );
  });

  it('are not estimated for what JSON cannot hold', () => {
    expect(jsonBytesAtMost({ a: [1n] })).toBe(Infinity);
    expect(() => exceedsJsonBytes({ a: [1n] }, 1000)).toThrow(TypeError);
  });
});
