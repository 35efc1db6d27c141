import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { ed25519Key, instanceIdentity, newInstanceKey } from './instance-identity.js';

const { privateKey, publicKey } = newInstanceKey();
const invalid = (message: RegExp) =>
  expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringMatching(message) as string }) as Error;

it('a new pair of keys is what an instance and its peers are given, as JWK or as key', () => {
  expect([publicKey, privateKey]).toMatchObject([
    { kty: 'OKP', crv: 'Ed25519', x: privateKey.x },
    { kty: 'OKP', crv: 'Ed25519', d: expect.any(String) as string },
  ]);
  expect(publicKey).not.toHaveProperty('d');
  const keys = [
    createPrivateKey({ key: privateKey, format: 'jwk' }),
    createPublicKey({ key: publicKey, format: 'jwk' }),
  ] as const;
  expect(ed25519Key('key', privateKey, 'private').equals(keys[0])).toBe(true);
  expect(ed25519Key('key', publicKey, 'public').equals(keys[1])).toBe(true);
  expect([ed25519Key('key', keys[0], 'private'), ed25519Key('key', keys[1], 'public')]).toEqual([...keys]);
  expect(instanceIdentity({ id: 'north', key: privateKey })).toEqual({ id: 'north', key: keys[0] });
});

it('a key of another kind is refused, and the message names the option', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  expect(() => ed25519Key('peers.south.key', rsa.publicKey, 'public')).toThrow(
    invalid(/peers\.south\.key.*must be an Ed25519 public key/),
  );
  expect(() => ed25519Key('a', createPublicKey({ key: publicKey, format: 'jwk' }), 'private')).toThrow(
    invalid(/Ed25519 private key/),
  );
  expect(() => ed25519Key('a', createPrivateKey({ key: privateKey, format: 'jwk' }), 'public')).toThrow(
    invalid(/Ed25519 public key/),
  );
  expect(() => ed25519Key('a', rsa.publicKey.export({ format: 'jwk' }) as object, 'public')).toThrow(
    invalid(/Ed25519/),
  );
  for (const kind of ['private', 'public'] as const) {
    expect(() => ed25519Key('a', { kty: 'OKP' }, kind)).toThrow(
      invalid(new RegExp(`Ed25519 ${kind} key, as KeyObject or JWK`)),
    );
  }
});

it('an instance needs a name and a key', () => {
  expect(() => instanceIdentity({ id: '', key: privateKey })).toThrow(invalid(/instance\.id.*1 to 200 characters/));
  expect(() => instanceIdentity({ id: 'x'.repeat(201), key: privateKey })).toThrow(invalid(/instance\.id/));
  expect(instanceIdentity({ id: 'x'.repeat(200), key: privateKey }).id).toHaveLength(200);
  expect(() => instanceIdentity({ id: 'north' } as never)).toThrow(invalid(/instance\.key/));
});
