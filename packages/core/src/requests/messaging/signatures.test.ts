import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { compactVerify, CompactSign } from 'jose';
import { describe, expect, it } from 'vitest';
import { jwsSignatures, keyIdOf } from './signatures.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signedAs = (header: object, text: string | Uint8Array = 'hello') =>
  new CompactSign(typeof text === 'string' ? Buffer.from(text) : text)
    .setProtectedHeader({ alg: 'EdDSA', kid: 'north', typ: 'blockwork-message+jws', ...header })
    .sign(privateKey);
const headerOf = (signed: string): unknown =>
  JSON.parse(Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString());

describe('a signed text', () => {
  it('is read with the key of its signer, which it names', async () => {
    const signed = await jwsSignatures.sign('héllo', 'north', privateKey);
    expect(headerOf(signed)).toEqual({ alg: 'EdDSA', kid: 'north', typ: 'blockwork-message+jws' });
    expect([await jwsSignatures.verify(signed, publicKey), keyIdOf(signed)]).toEqual(['héllo', 'north']);
  });

  it('is refused with another key', async () => {
    const signed = await jwsSignatures.sign('hello', 'north', privateKey);
    const other = createPublicKey(generateKeyPairSync('ed25519').privateKey);
    await expect(jwsSignatures.verify(signed, other)).rejects.toThrow();
  });

  it('is no message if the same key has signed it for something else', async () => {
    expect(await jwsSignatures.verify(await signedAs({}), publicKey)).toBe('hello');
    for (const typ of ['JWT', undefined]) {
      const signed = await signedAs({ typ });
      await expect(jwsSignatures.verify(signed, publicKey)).rejects.toThrow(`The header has the type ${String(typ)}.`);
    }
  });

  it('is refused if it demands what is not understood', async () => {
    const header = { alg: 'EdDSA', typ: 'blockwork-message+jws', crit: ['exp'], exp: 7 };
    const input = [JSON.stringify(header), 'hello'].map((part) => Buffer.from(part).toString('base64url')).join('.');
    const signed = `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
    await expect(jwsSignatures.verify(signed, publicKey)).rejects.toThrow('"crit"');
  });

  it('is refused if it is cut off, altered, or its signature is written in another way', async () => {
    const signed = await jwsSignatures.sign('hello', 'north', privateKey);
    const [header, payload, signature = ''] = signed.split('.');
    const { length } = signature;
    // The last character has four bits that no byte needs.
    const last = String.fromCharCode(signature.charCodeAt(length - 1) + 1);
    for (const other of [
      ...[`${header}.${payload}`, `${signed}.`, signed.slice(0, -1), `${header}.${payload}.`, `${signed} `],
      ...[`${signed}==`, signed.slice(0, -1) + last, `${header}.aGVsbHA.${signature}`, `e30.${payload}.${signature}`],
    ])
      await expect(jwsSignatures.verify(other, publicKey), other).rejects.toThrow();
  });

  it('is verified by others, and by this with what others sign', async () => {
    const { payload, protectedHeader } = await compactVerify(
      await jwsSignatures.sign('hi', 'north', privateKey),
      publicKey,
    );
    expect([Buffer.from(payload).toString(), protectedHeader.alg]).toEqual(['hi', 'EdDSA']);
    expect(await jwsSignatures.verify(await signedAs({}, 'hi'), publicKey)).toBe('hi');
  });

  it('is refused if its bytes are no text', async () => {
    await expect(jwsSignatures.verify(await signedAs({}, Uint8Array.of(0xff)), publicKey)).rejects.toThrow();
  });

  it('is refused in any other algorithm', async () => {
    const { privateKey: rsa, publicKey: rsaPublic } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const signed = await new CompactSign(Buffer.from('hello'))
      .setProtectedHeader({ alg: 'RS256', typ: 'blockwork-message+jws' })
      .sign(rsa);
    await expect(jwsSignatures.verify(signed, rsaPublic)).rejects.toThrow('"alg"');
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
