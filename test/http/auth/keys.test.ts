import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TokenAuthenticator } from '@blockwork/http';
import type { TokenOptions, VerificationKey } from '@blockwork/http';
import { bearer, bearerOf, callerOf, claims, clockAt, NOW, problemOf, secret } from './support.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const weakRsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const otherSecret = createSecretKey(Buffer.alloc(32, 9));

const rsaJwk = rsa.publicKey.export({ format: 'jwk' });
const ecJwk = ec.publicKey.export({ format: 'jwk' });
const jwks = {
  keys: [
    { ...rsaJwk, kid: 'r', use: 'sig' },
    { ...ecJwk, kid: 'e', alg: 'ES256' },
    { kty: 'OKP', crv: 'Ed25519', x: 'AAAA', kid: 'o' },
  ],
};

const rs256 = (keyid?: string): string =>
  bearer(claims, rsa.privateKey, { algorithm: 'RS256', ...(keyid !== undefined && { keyid }) });
const es256 = (keyid?: string): string =>
  bearer(claims, ec.privateKey, { algorithm: 'ES256', ...(keyid !== undefined && { keyid }) });

const ana = { did: 'did:example:ana', role: 'USER' };
const hmacKey = (key = secret, kid?: string): VerificationKey => ({
  algorithm: 'HS256',
  key,
  ...(kid !== undefined && { kid }),
});

describe('the key of a token', () => {
  it('is the one with its kid', async () => {
    expect(await callerOf(rs256('r'), { jwks })).toEqual(ana);
    expect(await callerOf(es256('e'), { jwks })).toEqual(ana);
    const keys = [hmacKey(otherSecret), hmacKey(secret, 'a'), hmacKey(otherSecret, 'b')];
    expect(await callerOf(bearer(claims, secret, { keyid: 'a' }), { keys })).toEqual(ana);
    expect(await problemOf(bearer(claims, secret, { keyid: 'b' }), { keys })).toBe('signature');
  });

  it('may have a kid that is not ASCII', async () => {
    const keys = [hmacKey(otherSecret, 'u'), hmacKey(secret, 'Schlüssel')];
    const inUtf8 = bearerOf({ alg: 'HS256', kid: 'Schlüssel' }, JSON.stringify(claims));
    const inLatin1 = bearer(claims, secret, { keyid: 'Schlüssel' });
    expect(await callerOf(inUtf8, { keys })).toEqual(ana);
    expect(await callerOf(inLatin1, { keys })).toEqual(ana);
  });

  it('is the only one for the algorithm if the token has no kid', async () => {
    expect(await callerOf(rs256(), { jwks })).toEqual(ana);
    expect(await callerOf(es256(), { jwks })).toEqual(ana);
    expect(await callerOf(es256(), { jwks: { keys: [rsaJwk, ecJwk] } })).toEqual(ana);
    expect(await problemOf(bearer(claims), { jwks })).toBe('key');
  });

  it('is unknown if the token has no kid and several keys have its algorithm', async () => {
    expect(await problemOf(bearer(claims), { keys: [hmacKey(secret, 'a'), hmacKey(otherSecret, 'b')] })).toBe('key');
  });

  it('is one without kid if no key has the kid of the token', async () => {
    const stray = bearer(claims, secret, { keyid: 'x' });
    expect(await callerOf(stray, { secret })).toEqual(ana);
    expect(await callerOf(stray, { secret, jwks })).toEqual(ana);
    expect(await callerOf(stray, { keys: [hmacKey(), hmacKey(otherSecret, 'a')] })).toEqual(ana);
    expect(await callerOf(es256('x'), { jwks: { keys: [rsaJwk, ecJwk] } })).toEqual(ana);
    expect(await problemOf(stray, { keys: [hmacKey(secret, 'a')] })).toBe('key');
    expect(await problemOf(stray, { jwks })).toBe('key');
    expect(await problemOf(stray, { keys: [hmacKey(), hmacKey(otherSecret)] })).toBe('key');
  });

  it('verifies no algorithm but its own', async () => {
    expect(await problemOf(bearer(claims, rsa.privateKey, { algorithm: 'RS512', keyid: 'r' }), { jwks })).toBe(
      'algorithm',
    );
    const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' });
    const confused = bearer(claims, createSecretKey(Buffer.from(pem)), { keyid: 'r' });
    expect(await problemOf(confused, { jwks })).toBe('algorithm');
    expect(await problemOf(rs256(), { secret })).toBe('algorithm');
  });
});

describe('a JWK Set', () => {
  it.each([
    ['for encryption', { ...rsaJwk, use: 'enc' }, rs256('skipped')],
    ['for another algorithm', { ...rsaJwk, alg: 'RS512' }, rs256('skipped')],
    ['for the algorithm of another kind of key', { ...ecJwk, alg: 'RS256' }, es256('skipped')],
    [
      'on another curve',
      p384.publicKey.export({ format: 'jwk' }),
      bearer(claims, p384.privateKey, { algorithm: 'ES384', keyid: 'skipped' }),
    ],
  ])('may have keys %s, which are skipped', async (_, jwk, token) => {
    const skipped = { ...jwk, kid: 'skipped' };
    expect(await problemOf(token, { jwks: { keys: [...jwks.keys, skipped] } })).toBe('key');
    expect(() => new TokenAuthenticator({ jwks: { keys: [skipped] } })).toThrow(
      'The option auth.jwks cannot be used: it has no key for RS256 or ES256.',
    );
  });
});

describe('keys that cannot be used are refused at construction', () => {
  it.each<[string, string, TokenOptions]>([
    ['auth.secret', 'shorter than 256 bits', { secret: Buffer.alloc(31) }],
    ['auth.secret', 'must be a KeyObject or bytes', { secret: 'a long enough text, but still a text' as never }],
    ['auth', 'no key', {}],
    ['auth.keys', 'needs a public RSA key', { keys: [{ algorithm: 'RS256', key: ec.publicKey }] }],
    ['auth.keys', 'needs a public RSA key', { keys: [{ algorithm: 'RS256', key: rsa.privateKey }] }],
    ['auth.keys', 'shorter than 2048 bits', { keys: [{ algorithm: 'RS256', key: weakRsa.publicKey }] }],
    ['auth.keys', 'on the curve P-256', { keys: [{ algorithm: 'ES256', key: ec.privateKey }] }],
    ['auth.keys', 'on the curve P-256', { keys: [{ algorithm: 'ES256', key: rsa.publicKey }] }],
    ['auth.keys', 'on the curve P-256', { keys: [{ algorithm: 'ES256', key: p384.publicKey }] }],
    [
      'auth.keys[0].algorithm',
      'must be HS256 or RS256 or ES256',
      { keys: [{ algorithm: 'HS512' as never, key: secret }] },
    ],
    ['auth.keys', 'HS256 needs a secret key', { keys: [{ algorithm: 'HS256', key: rsa.publicKey }] }],
    ['auth.keys', 'shorter than 256 bits', { keys: [hmacKey(createSecretKey(Buffer.alloc(31)))] }],
    ['auth.keys[0].key', 'must be a KeyObject', { keys: [{ algorithm: 'HS256', key: Buffer.alloc(32) as never }] }],
    ['auth.jwks', 'no key for RS256 or ES256', { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }],
    ['auth.jwks', 'no key for RS256 or ES256', { jwks: { keys: [{ kty: 'OKP', crv: 'P-256', x: 'AAAA' }] } }],
    ['auth.jwks', 'private key', { jwks: { keys: [rsa.privateKey.export({ format: 'jwk' })] } }],
    ['auth.jwks', 'shorter than 2048 bits', { jwks: { keys: [weakRsa.publicKey.export({ format: 'jwk' })] } }],
    ['auth.jwks', 'malformed', { jwks: { keys: [{ kty: 'RSA', n: 5 }] } }],
    ['auth', 'the same kid', { jwks: { keys: [...jwks.keys, { ...ecJwk, kid: 'r' }] } }],
    ['auth', 'the same kid', { jwks, keys: [hmacKey(secret, 'r')] }],
  ])('naming %s: %s', (option, reason, options) => {
    expect(() => new TokenAuthenticator({ clock: clockAt(NOW), ...options })).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        facts: { option, reason: expect.stringContaining(reason) },
      }),
    );
  });
});
