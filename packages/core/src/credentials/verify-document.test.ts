import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../memory/index.js';
import { INSTANCE } from '../records/index.js';
import type { Json, JsonObject } from '../records/index.js';
import { documentOf, methodId } from './identity-document.js';
import { toDidKey, toMultikey } from './multikey.js';
import { createProof, type ProofPurpose } from './proof.js';
import { CREDENTIALS_AT_MOST, verifyDocument } from './verify-document.js';

/** Somebody elsewhere, who is a `did:key` and signs whatever they like. */
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
const DID = toDidKey(key);

async function signed(document: JsonObject, purpose = 'assertionMethod'): Promise<JsonObject> {
  const proof = await createProof(document, {
    verificationMethod: methodId(DID, key),
    created: '2026-01-01T00:00:00Z',
    purpose: purpose as ProofPurpose,
    sign: (bytes) => Promise.resolve(sign(null, bytes, privateKey)),
  });
  return { ...document, proof };
}

const credential: JsonObject = { type: ['VerifiableCredential'], issuer: DID, credentialSubject: { amount: 1 } };
const presentationOf = (credentials?: Json): JsonObject => ({
  type: ['VerifiablePresentation'],
  holder: DID,
  ...(credentials !== undefined && { verifiableCredential: credentials }),
});
const reasonOf = async (document: JsonObject): Promise<string> =>
  (await verifyDocument(document, { records: new MemoryStore(), now: 0 })).reason;

describe('a document from outside', () => {
  it('may be a credential of the data model 2.0, or have its type and issuer in another form', async () => {
    expect(
      await reasonOf(
        await signed({
          ...credential,
          '@context': ['https://www.w3.org/ns/credentials/v2'],
          validFrom: '2026-01-01T00:00:00Z',
        }),
      ),
    ).toBe('');
    expect(await reasonOf(await signed({ ...credential, type: 'VerifiableCredential', issuer: { id: DID } }))).toBe('');
  });

  it('may hold one credential that is not in a list, or none', async () => {
    expect(await reasonOf(await signed(presentationOf(await signed(credential))))).toBe('');
    expect(await reasonOf(await signed(presentationOf()))).toBe('');
  });

  it('must be signed for its purpose: a presentation also to show who one is, a credential not', async () => {
    const refusal = 'its proof is not for the purpose assertionMethod';
    expect(await reasonOf(await signed(credential, 'authentication'))).toContain(refusal);
    expect(await reasonOf(await signed(credential, 'keyAgreement'))).toContain(refusal);
    expect(await reasonOf(await signed(presentationOf(), 'authentication'))).toBe('');
    expect(await reasonOf(await signed(presentationOf(), 'keyAgreement'))).toContain(refusal);
    const credentials = await signed(credential, 'authentication');
    expect(await reasonOf(await signed(presentationOf([credentials])))).toContain('Credential 1 of the presentation');
  });

  it('must hold credentials with a proof, not envelopes, presentations or anything else', async () => {
    const inside = await signed(presentationOf([await signed(credential)]));
    for (const credentials of ['data:application/vc+jwt,abc', inside, null, [[]], {}, 5]) {
      expect(await reasonOf(await signed(presentationOf([await signed(credential), credentials])))).toBe(
        'Credential 2 of the presentation is not accepted: it is not a credential with its own proof.',
      );
    }
  });

  it('must not hold too many', async () => {
    const many = new Array<Json>(CREDENTIALS_AT_MOST + 1).fill(null);
    expect(await reasonOf(await signed(presentationOf(many)))).toContain('more than 10000 credentials');
  });

  it('must name its signer', async () => {
    const { issuer: _, ...anonymous } = credential;
    expect(await reasonOf(await signed(anonymous))).toContain('it names no issuer');
    const { holder: __, ...nobodys } = presentationOf();
    expect(await reasonOf(await signed(nobodys))).toContain('it names no holder');
  });

  it('holds by a fixed key only where the signer is that key', async () => {
    expect(await reasonOf(await signed({ ...credential, issuer: 'did:example:alice' }))).toContain('not by its issuer');
  });

  it('is not lost when the store cannot be read: that is an error, and no verdict', async () => {
    const fail = () => Promise.reject(new Error('disk'));
    const broken = { get: fail, find: fail };
    const document = await signed({ ...credential, issuer: 'did:example:alice' });
    const proof = { ...(document.proof as JsonObject), verificationMethod: 'did:example:alice#key' };
    await expect(verifyDocument({ ...document, proof }, { records: broken, now: 0 })).rejects.toThrow('disk');
  });
});

describe('a key that was revoked', () => {
  it('verifies only what the policy had taken in by then', async () => {
    const store = new MemoryStore();
    const [id, createDate] = [toMultikey(key), '2025-01-01T00:00:00Z'];
    const revokedAt = (revokeDate: string) =>
      store.commit({
        expect: {},
        changes: [
          {
            op: 'put',
            kind: 'identity-key',
            partition: INSTANCE,
            value: { id, did: DID, member: 'did:example:alice', createDate, revokeDate },
          },
        ],
      });
    const document = await signed(credential);
    const holds = async (stored: boolean) =>
      (await verifyDocument(document, { records: store, now: 0, stored })).verified;
    expect([await holds(false), await holds(true)]).toEqual([true, true]);
    await revokedAt('2026-01-01T00:00:01Z');
    expect([await holds(false), await holds(true)]).toEqual([false, true]);
    await revokedAt('2026-01-01T00:00:00Z');
    expect([await holds(false), await holds(true)]).toEqual([false, false]);
  });
});

describe('an identity as a process has kept it', () => {
  it('verifies by a key that another process has added since', async () => {
    const store = new MemoryStore();
    const did = 'did:example:alice';
    const old = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? '';
    const identity = { id: did, document: documentOf(did, [Buffer.from(old, 'base64url')]) };
    const value = { id: did, document: documentOf(did, [key, Buffer.from(old, 'base64url')]) };
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'identity', partition: INSTANCE, value }] });
    const proof = await createProof(
      { ...credential, issuer: did },
      {
        verificationMethod: methodId(did, key),
        created: '2026-01-01T00:00:00Z',
        purpose: 'assertionMethod',
        sign: (bytes) => Promise.resolve(sign(null, bytes, privateKey)),
      },
    );
    const records = {
      get: (kind: string) => Promise.resolve(kind === 'identity' ? identity : undefined) as never,
      find: store.find.bind(store),
    };
    expect(await verifyDocument({ ...credential, issuer: did, proof }, { records, now: 0 })).toMatchObject({
      verified: true,
    });
  });
});
