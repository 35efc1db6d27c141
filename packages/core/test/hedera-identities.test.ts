/** Identities of subjects as `did:hedera`: made, signed with, and bound to their key. */
import { hederaDids } from '@blockwork/ledger-hedera';
import { beforeEach, describe, expect, it } from 'vitest';
import { PolicyCredentialsWriter } from '../src/context/index.js';
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

  it('is not signed for with another key than the one in its name', async () => {
    const { did } = await writer().createIdentity();
    const elsewhere = writer(new SeededKeys(new Uint8Array(32).fill(2)));
    await expect(elsewhere.issue({ issuer: did, subject: {} })).rejects.toMatchObject({ code: 'KEY_UNAVAILABLE' });
  });
});
