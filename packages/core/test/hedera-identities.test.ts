/** Identities of subjects as `did:hedera`: made, signed with, and bound to their key. */
import type { DidMethod, Keys } from '@blockwork/core';
import { hederaDids } from '@blockwork/ledger-hedera';
import { beforeEach, describe, expect, it } from 'vitest';
import { PolicyCredentialsWriter } from '../src/context/index.js';
import { createProof, publishedDocument } from '../src/credentials/index.js';
import { toDidKey, toMultikey } from '../src/credentials/multikey.js';
import { randomIds, SeededKeys } from '../src/defaults/index.js';
import { MemoryStore } from '../src/memory/index.js';
import { INSTANCE } from '../src/records/index.js';
import type { JsonObject } from '../src/records/index.js';
import { UnitOfWork } from '../src/transactions/index.js';

const didMethod = hederaDids({ network: 'testnet', topic: '0.0.1234' });
const clock = { now: () => Date.UTC(2026, 0, 1) };

describe('an identity as did:hedera', () => {
  let unit: UnitOfWork;
  const writer = (keys = new SeededKeys(new Uint8Array(32).fill(1))): PolicyCredentialsWriter =>
    new PolicyCredentialsWriter(unit, { keys, clock, ids: randomIds, didMethod });

  beforeEach(async () => {
    unit = await UnitOfWork.begin(new MemoryStore(), []);
  });

  it('has a document as the reference writes it, and the hash of its key in its name', () => {
    // The public key of RFC 8032, section 7.1, test 1; hash and base 58 made with other programs.
    const key = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');
    const { did, document } = didMethod.identityOf(key);
    expect(did).toBe('did:hedera:testnet:3HhGPB6ht33n51YFaocqBtGePb3xqT4VgnjYbd81eeZW_0.0.1234');
    expect(document).toEqual({
      '@context': 'https://www.w3.org/ns/did/v1',
      id: did,
      verificationMethod: [
        {
          id: `${did}#did-root-key`,
          type: 'Ed25519VerificationKey2018',
          controller: did,
          publicKeyBase58: 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z',
        },
      ],
      authentication: [`${did}#did-root-key`],
      assertionMethod: ['#did-root-key'],
    });
  });

  it('signs with the method that its document has, beside identities of other methods', async () => {
    const { did } = await writer().createIdentity();
    const credential = await writer().issue({ issuer: did, subject: { id: did, type: 'x' } });
    expect((credential.proof as JsonObject).verificationMethod).toBe(`${did}#did-root-key`);
    expect(await writer().verify(credential)).toEqual({ verified: true, reason: '' });
    const local = await writer().issue({ issuer: 'did:example:local', subject: {} });
    expect(await writer().verify(local)).toEqual({ verified: true, reason: '' });
  });

  it('cannot be given the key of another', async () => {
    const [one, other] = [await writer().createIdentity(), await writer().createIdentity()];
    const credential = await writer().issue({ issuer: one.did, subject: {} });
    const [method] = other.document.verificationMethod as JsonObject[];
    const stolen = { ...method, id: `${one.did}#did-root-key`, controller: one.did };
    const forged = { ...one.document, verificationMethod: [stolen] };
    unit.put('identity', INSTANCE, { id: one.did, document: forged });
    expect((await writer().verify(credential)).reason).toContain('has no such key');
  });

  it('of a member is one of any key that the member signs with here, as other DIDs', async () => {
    const { did } = didMethod.identityOf(new Uint8Array(32).fill(3));
    const first = await writer().issue({ issuer: did, subject: {} });
    expect(await writer().verify(first)).toEqual({ verified: true, reason: '' });
    const later = await writer(new SeededKeys(new Uint8Array(32).fill(2))).issue({ issuer: did, subject: {} });
    for (const each of [first, later]) expect(await writer().verify(each)).toEqual({ verified: true, reason: '' });
  });

  it('whose key is held by its member signs under the name of the root once the key is registered, until it is revoked', async () => {
    const holder = new SeededKeys(new Uint8Array(32).fill(6));
    const key = await holder.publicKey('wallet');
    const { did } = didMethod.identityOf(key);
    const credential = { type: ['VerifiableCredential'], issuer: did, credentialSubject: [{}] };
    const request = { created: '2026-01-01T00:00:00Z', purpose: 'assertionMethod' } as const;
    const sign = (bytes: Uint8Array) => holder.sign('wallet', bytes);
    const proof = await createProof(credential, { verificationMethod: `${did}#did-root-key`, sign, ...request });
    const signed = { ...credential, proof };
    const registered = (of: Uint8Array, more: object = {}) =>
      unit.put('identity-key', INSTANCE, {
        ...{ id: toMultikey(of), did, member: did, createDate: '2026-01-01T00:00:00.000Z' },
        ...more,
      });
    expect((await writer().verify(signed)).verified).toBe(false);
    registered(new Uint8Array(32).fill(9));
    expect((await writer().verify(signed)).verified).toBe(false);
    registered(key);
    expect(await writer().verify(signed)).toEqual({ verified: true, reason: '' });
    expect((await publishedDocument(unit, did))?.assertionMethod).toEqual([
      ...[`${did}#${toMultikey(new Uint8Array(32).fill(9))}`, `${did}#did-root-key`, `${did}#${toMultikey(key)}`],
    ]);
    registered(key, { revokeDate: '2026-01-01T00:00:00.000Z' });
    expect((await writer().verify(signed)).reason).toContain('was revoked');
  });

  it('is published with the key in its name under its own id, beside registered ones', async () => {
    const { did } = await writer().createIdentity();
    const key = toMultikey(new Uint8Array(32).fill(9));
    unit.put('identity-key', INSTANCE, { id: key, did, member: did, createDate: '2026-01-01T00:00:00.000Z' });
    const document = await publishedDocument(unit, did);
    expect(document).toMatchObject({
      verificationMethod: [{ id: `${did}#did-root-key` }, { id: `${did}#${key}` }],
      assertionMethod: [`${did}#did-root-key`, `${did}#${key}`],
    });
  });

  it('is not signed for with another key than the one in its name', async () => {
    const { did } = await writer().createIdentity();
    const elsewhere = writer(new SeededKeys(new Uint8Array(32).fill(2)));
    await expect(elsewhere.issue({ issuer: did, subject: {} })).rejects.toMatchObject({ code: 'KEY_UNAVAILABLE' });
  });
});

describe('the document of a did:hedera for its topic', () => {
  let unit: UnitOfWork;
  const holder = new SeededKeys(new Uint8Array(32).fill(6));
  const foreign = new SeededKeys(new Uint8Array(32).fill(1));
  /** Keeps the key under the DID that is made of it, as a vault may. */
  const kept = (did: string): Keys => ({
    publicKey: (name) => holder.publicKey(name === did ? 'wallet' : name),
    sign: (name, bytes) => holder.sign(name === did ? 'wallet' : name, bytes),
  });
  const writer = (keys: Keys): PolicyCredentialsWriter =>
    new PolicyCredentialsWriter(unit, { keys, clock, ids: randomIds, didMethod });
  const wallet = async () => didMethod.identityOf(await holder.publicKey('wallet'));
  const register = (did: string, key: Uint8Array, more: object = {}): void =>
    unit.put('identity-key', INSTANCE, {
      ...{ id: toMultikey(key), did, member: did, createDate: '2026-01-01T00:00:00.000Z' },
      ...more,
    });

  beforeEach(async () => {
    unit = await UnitOfWork.begin(new MemoryStore(), []);
  });

  it('is the one that its tools write if the key is kept here, and what is signed with it names the root key', async () => {
    const { did, document } = await wallet();
    expect(await writer(kept(did)).rootDocument(did)).toEqual(document);
    const credential = await writer(kept(did)).issue({ issuer: did, subject: {} });
    expect((credential.proof as JsonObject).verificationMethod).toBe(`${did}#did-root-key`);
    expect(await writer(kept(did)).verify(credential)).toEqual({ verified: true, reason: '' });
    await expect(writer(foreign).issue({ issuer: did, subject: {} })).rejects.toMatchObject({
      code: 'KEY_UNAVAILABLE',
    });
  });

  it('is there for an identity that was made here, and for a registered key until it is revoked', async () => {
    const made = await writer(foreign).createIdentity();
    expect(await writer(foreign).rootDocument(made.did)).toEqual(made.document);
    const { did, document } = await wallet();
    register(did, await holder.publicKey('wallet'));
    expect(await writer(foreign).rootDocument(did)).toEqual(document);
    register(did, await holder.publicKey('wallet'), { revokeDate: '2026-01-01T00:00:00.000Z' });
    expect(await writer(foreign).rootDocument(did)).toBeUndefined();
  });

  it('is not made up for others: without the key, with another one, and for other DIDs', async () => {
    const { did } = await wallet();
    expect(await writer(foreign).rootDocument(did)).toBeUndefined();
    register(did, await holder.publicKey('another'));
    await writer(foreign).issue({ issuer: did, subject: {} });
    expect(await writer(foreign).rootDocument(did)).toBeUndefined();
    for (const other of ['did:example:alice', toDidKey(await holder.publicKey('wallet'))])
      expect(await writer(holder).rootDocument(other)).toBeUndefined();
  });
});

describe('an identity of a method of somebody else', () => {
  const clockAndIds = { clock, ids: randomIds };
  const methodWith = (change: (document: JsonObject, key: Uint8Array) => JsonObject): DidMethod => ({
    identityOf: (publicKey) => {
      const did = `did:web:${Buffer.from(publicKey).toString('hex').slice(0, 8)}.example`;
      const method = {
        id: `${did}#key-1`,
        type: 'Multikey',
        controller: did,
        publicKeyMultibase: toMultikey(publicKey),
      };
      return { did, document: change({ id: did, verificationMethod: [method] }, publicKey) };
    },
  });
  const sound = methodWith((document) => document);
  const seeded = (seed: number): SeededKeys => new SeededKeys(new Uint8Array(32).fill(seed));
  let unit: UnitOfWork;
  const writer = (method: DidMethod, keys = seeded(1)): PolicyCredentialsWriter =>
    new PolicyCredentialsWriter(unit, { keys, ...clockAndIds, didMethod: method });

  beforeEach(async () => {
    unit = await UnitOfWork.begin(new MemoryStore(), []);
  });

  it('signs under the id that its document has for the key, also after the keys changed', async () => {
    const { did } = await writer(sound).createIdentity();
    const name = (await unit.get('identity', INSTANCE, did))?.key;
    const first = await writer(sound).issue({ issuer: did, subject: {} });
    expect((first.proof as JsonObject).verificationMethod).toBe(`${did}#key-1`);
    const later = await writer(sound, seeded(2)).issue({ issuer: did, subject: {} });
    expect((await unit.get('identity', INSTANCE, did))?.key).toBe(name);
    const again = await writer(sound).issue({ issuer: did, subject: {} });
    for (const each of [first, later, again])
      expect(await writer(sound).verify(each)).toEqual({ verified: true, reason: '' });
  });

  it.each<[string, DidMethod]>([
    ['a document of another DID', methodWith((document) => ({ ...document, id: 'did:web:other.example' }))],
    ['no key', methodWith((document) => ({ ...document, verificationMethod: [] }))],
    ['another key', { identityOf: () => sound.identityOf(new Uint8Array(32).fill(4)) }],
    ['no DID', { identityOf: (key) => ({ did: 'x', document: { ...sound.identityOf(key).document, id: 'x' } }) }],
  ])('is not made with %s', async (_, method) => {
    await expect(writer(method).createIdentity()).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    expect(unit.size).toBe(0);
  });
});
