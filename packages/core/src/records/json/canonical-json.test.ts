/** Canonical JSON against a library of its own, for what that takes. */
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';

/** Names that JavaScript and canonical JSON order differently are frequent. */
const name = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('10', '9', '__proto__', 'é', '\u{1f600}', '\ufb33', 'a', '@a', ''),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false, -0, 1e21, 1e-7),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 6, noNullPrototype: false }),
  ),
}));

describe('canonical JSON', () => {
  it('is what an independent library writes, in whatever order members are listed', () => {
    fc.assert(
      fc.property(value, (any) => {
        expect(canonicalJson(any)).toBe(canonicalize(any));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the value, once read', () => {
    fc.assert(
      fc.property(value, (any) => {
        expect(JSON.parse(canonicalJson(any))).toEqual(JSON.parse(JSON.stringify(any)));
      }),
    );
  });

  it.each([
    [{ b: 1, a: { d: [], c: null } }, '{"a":{"c":null,"d":[]},"b":1}'],
    [{ 9: 'nine', 10: 'ten' }, '{"10":"ten","9":"nine"}'],
    [{ b: undefined, a: [undefined] }, '{"a":[null]}'],
    [{ b: '\ud800', a: 1 }, '{"a":1,"b":"\\ud800"}'],
    ['text', '"text"'],
  ])('of %j is %s', (written, text) => {
    expect(canonicalJson(written)).toBe(text);
  });
});
