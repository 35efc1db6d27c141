import { createEngine, newInstanceKey, type InstanceOptions, type Peer } from '@blockwork/core';
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';

const { privateKey, publicKey } = newInstanceKey();
const privateObject = createPrivateKey({ key: privateKey, format: 'jwk' });
const publicObject = createPublicKey({ key: publicKey, format: 'jwk' });
const x25519 = generateKeyPairSync('x25519');
const ed448 = generateKeyPairSync('ed448');

const instance = (changes: Partial<InstanceOptions>) => () =>
  createEngine({ instance: { id: 'here', key: privateKey, ...changes } });
const peer = (changes: Partial<Peer>) => () =>
  createEngine({ peers: [{ id: 'north', key: publicKey, identities: ['*'], ...changes }] });
const refused = (option: string) =>
  expect.objectContaining({ code: 'OPTION_INVALID', facts: expect.objectContaining({ option }) as unknown }) as Error;
const anyKey = (key: KeyObject | object): { key: KeyObject } => ({ key: key as KeyObject });

describe('the identity of an instance', () => {
  it.each([
    ['one character', 'n'],
    ['200 characters', 'n'.repeat(200)],
  ])('has a name of %s', async (_, id) => {
    await instance({ id })().close();
    await peer({ id })().close();
  });

  it.each([
    ['no character', ''],
    ['more than 200', 'n'.repeat(201)],
  ])('has no name of %s', (_, id) => {
    expect(instance({ id })).toThrow(refused('instance.id'));
    expect(peer({ id })).toThrow(refused('peers[0].id'));
  });

  it('has an Ed25519 private key, as JWK or object', async () => {
    await instance({ key: privateKey })().close();
    await instance({ key: privateObject })().close();
  });

  it.each([
    ['a public key', publicObject],
    ['a public key as JWK', publicKey],
    ['a key for something else', x25519.privateKey],
    ['a key of another curve as JWK', ed448.privateKey.export({ format: 'jwk' })],
    ['no key at all', {}],
  ])('has not %s', (_, key) => {
    expect(instance(anyKey(key))).toThrow(refused('instance.key'));
  });
});

describe('a peer', () => {
  it('has an Ed25519 public key, as JWK or object', async () => {
    await peer({ key: publicKey })().close();
    await peer({ key: publicObject })().close();
  });

  it.each([
    ['a private key', privateObject],
    ['a key for something else', x25519.publicKey],
    ['a key of another curve as JWK', ed448.publicKey.export({ format: 'jwk' })],
    ['no key at all', {}],
  ])('has not %s', (_, key) => {
    expect(peer(anyKey(key))).toThrow(refused('peers[0].key'));
  });
});
