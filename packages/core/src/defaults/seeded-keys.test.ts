import { createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBlockworkError } from '../errors.js';
import { SeededKeys } from './seeded-keys.js';

const seedOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const rejection = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

async function signatureHolds(keys: SeededKeys, name: string, bytes: Uint8Array, by = name): Promise<boolean> {
  const x = Buffer.from(await keys.publicKey(name)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, bytes, key, await keys.sign(by, bytes));
}

describe('seeded keys', () => {
  it('sign with the key of each name, whatever it looks like', async () => {
    const keys = new SeededKeys(seedOf(1));
    const names = fc.string({ unit: 'binary', maxLength: 3000 });
    await fc.assert(
      fc.asyncProperty(names, fc.uint8Array(), async (name, bytes) => {
        fc.pre(!name.startsWith('did:key:'));
        expect(await signatureHolds(keys, name, bytes)).toBe(true);
        expect(await signatureHolds(keys, name, bytes, `${name}.`)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it('are the same for the same seed, and the same today as ever', async () => {
    const name = 'did:example:alice';
    expect(hex(await new SeededKeys(seedOf(1)).publicKey(name))).toBe(
      '15f1b3cc0b137ba8d5b4443db4ca6ec0def0a9923e66f60d374deb5619ab5ec7',
    );
    expect(await new SeededKeys(seedOf(1)).sign(name, seedOf(5))).toEqual(
      await new SeededKeys(seedOf(1)).sign(name, seedOf(5)),
    );
    expect(hex(await new SeededKeys(seedOf(2)).publicKey(name))).not.toBe(
      hex(await new SeededKeys(seedOf(1)).publicKey(name)),
    );
  });

  it('are others in every process that gives no seed', async () => {
    const [one, other] = [new SeededKeys(), new SeededKeys()];
    expect(hex(await one.publicKey('a'))).not.toBe(hex(await other.publicKey('a')));
  });

  it('do not follow a seed or an answer that is changed afterwards', async () => {
    const seed = seedOf(1);
    const keys = new SeededKeys(seed);
    seed.fill(9);
    (await keys.publicKey('a')).fill(0);
    expect(await keys.publicKey('a')).toEqual(await new SeededKeys(seedOf(1)).publicKey('a'));
  });

  it('reject a did:key, whose key is elsewhere', async () => {
    const keys = new SeededKeys();
    const did = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp';
    expect(isBlockworkError(await rejection(keys.publicKey(did)), 'KEY_UNAVAILABLE')).toBe(true);
    expect(isBlockworkError(await rejection(keys.sign(did, seedOf(0))), 'KEY_UNAVAILABLE')).toBe(true);
  });

  it('need a seed of 32 bytes', () => {
    for (const seed of [new Uint8Array(31), new Uint8Array(33), new Uint8Array(), 'a'.repeat(32), null]) {
      expect(() => new SeededKeys(seed as Uint8Array)).toThrow('32 bytes');
    }
  });
});
