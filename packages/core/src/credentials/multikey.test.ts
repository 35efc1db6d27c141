import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMultikey, fromSignatureText, keyOfDidKey, toDidKey, toMultikey, toSignatureText } from './multikey.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

describe('a multikey', () => {
  it('says the key, and only that key', () => {
    fc.assert(
      fc.property(bytes(32), (key) => {
        expect(toMultikey(key)).toMatch(/^z6Mk/);
        expect(fromMultikey(toMultikey(key))).toEqual(key);
        expect(keyOfDidKey(toDidKey(key))).toEqual(key);
      }),
    );
  });

  it('is known from the did:key method specification', () => {
    const text = 'z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp';
    expect(Buffer.from(fromMultikey(text) ?? []).toString('hex')).toBe(
      '3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29',
    );
  });

  it.each([
    ['another kind of key', 'zDnaepBuvsQ8cpsWrVKw8fbpGpvPeNSjVPTWoq6cRqaYzBKVP'],
    ['a longer one', 'z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp1'],
    ['another encoding', 'u7QE7aie8zrakLWKjqNAqbw1zZTIVdx3iQ6Y6wEihi1naKQ'],
    ['no encoding', '6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'],
    ['a line break', 'z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp\n'],
    ['nothing', ''],
    ['a million characters', `z${'6'.repeat(1_000_000)}`],
  ])('refuses %s', (_, text) => {
    expect(fromMultikey(text)).toBeUndefined();
    expect(keyOfDidKey(`did:key:${text}`)).toBeUndefined();
  });
});

describe('the text of a signature', () => {
  it('says the signature, also one that begins or ends with zeros', () => {
    const signatures = fc.oneof(bytes(64), fc.constantFrom(new Uint8Array(64), new Uint8Array(64).fill(255)));
    fc.assert(
      fc.property(signatures, (signature) => {
        expect(fromSignatureText(toSignatureText(signature))).toEqual(signature);
      }),
    );
  });
});
