import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { CompactSign } from 'jose';
import { describe, expect, it } from 'vitest';
import { joseSignatures, keyIdOf } from './signatures.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signedAs = (header: object, text: string | Uint8Array = 'hello') =>
  new CompactSign(typeof text === 'string' ? Buffer.from(text) : text)
    .setProtectedHeader({ alg: 'EdDSA', kid: 'north', typ: 'blockwork-message+jws', ...header })
    .sign(privateKey);
const headerOf = (signed: string): unknown =>
  JSON.parse(Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString());

describe('a signed text', () => {
  it('is read with the key of its signer, which it names', async () => {
    const signed = await joseSignatures.sign('héllo', 'north', privateKey);
    expect(headerOf(signed)).toEqual({ alg: 'EdDSA', kid: 'north', typ: 'blockwork-message+jws' });
    expect([await joseSignatures.verify(signed, publicKey), keyIdOf(signed)]).toEqual(['héllo', 'north']);
  });

  it('is refused with another key', async () => {
    const signed = await joseSignatures.sign('hello', 'north', privateKey);
    const other = createPublicKey(generateKeyPairSync('ed25519').privateKey);
    await expect(joseSignatures.verify(signed, other)).rejects.toThrow();
  });

  it('is no message if the same key has signed it for something else', async () => {
    expect(await joseSignatures.verify(await signedAs({}), publicKey)).toBe('hello');
    for (const typ of ['JWT', undefined]) {
      const signed = await signedAs({ typ });
      await expect(joseSignatures.verify(signed, publicKey)).rejects.toThrow(`The header has the type ${String(typ)}.`);
    }
  });

  it('is refused if its bytes are no text', async () => {
    await expect(joseSignatures.verify(await signedAs({}, Uint8Array.of(0xff)), publicKey)).rejects.toThrow();
  });

  it('is refused in any other algorithm', async () => {
    const { privateKey: rsa, publicKey: rsaPublic } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const signed = await new CompactSign(Buffer.from('hello'))
      .setProtectedHeader({ alg: 'RS256', typ: 'blockwork-message+jws' })
      .sign(rsa);
    await expect(joseSignatures.verify(signed, rsaPublic)).rejects.toThrow('"alg"');
  });
});

it('a text names no key if it is not three parts of which the first says so', async () => {
  const signed = await signedAs({});
  const [header = '', payload = '', signature = ''] = signed.split('.');
  const named = (value: unknown): string => `${Buffer.from(JSON.stringify(value)).toString('base64url')}.${payload}.x`;
  for (const text of [
    ...['', 'hello', `${header}.${payload}`, `${signed}.more`, `.${payload}.${signature}`],
    ...[named({}), named({ kid: 7 }), named(null)],
  ])
    expect(keyIdOf(text), text).toBeUndefined();
  expect(keyIdOf(named({ kid: 'north' }))).toBe('north');
});
