import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isBlockworkError, type ErrorCode } from '../errors.js';
import { MemoryStore } from '../memory/index.js';
import { SeededKeys } from '../defaults/index.js';
import { INSTANCE, type JsonObject } from '../records/index.js';
import { PolicyCredentials, PolicyCredentialsWriter, type CredentialDeps } from './policy-credentials.js';
import { UnitOfWork } from '../transactions/index.js';

const ALICE = 'did:example:alice';
const HOLDS = { verified: true, reason: '' };
const seedOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

function toolsWith(seed: Uint8Array): CredentialDeps {
  let last = 0;
  const uuid = (): string => `00000000-0000-4000-8000-${String((last += 1)).padStart(12, '0')}`;
  return { keys: new SeededKeys(seed), clock: { now: () => Date.UTC(2026, 0, 1) }, ids: { uuid } };
}

describe('the credentials of a policy', () => {
  let store: MemoryStore;
  let unit: UnitOfWork;
  let credentials: PolicyCredentialsWriter;

  const begin = async (seed: Uint8Array): Promise<void> => {
    unit = await UnitOfWork.begin(store, []);
    credentials = new PolicyCredentialsWriter(unit, toolsWith(seed));
  };
  const commit = async (): Promise<void> => {
    const changes = unit.changeSet();
    if (changes !== null) await store.commit(changes);
  };
  const issue = (subject: JsonObject, issuer = ALICE): Promise<JsonObject> => credentials.issue({ issuer, subject });
  const reasonOf = async (document: unknown): Promise<string> =>
    (await credentials.verify(document as JsonObject)).reason;
  const expectRejection = async (promise: Promise<unknown>, code: ErrorCode): Promise<void> => {
    const error: unknown = await promise.catch((reason: unknown) => reason);
    expect(isBlockworkError(error, code)).toBe(true);
  };

  beforeEach(async () => {
    store = new MemoryStore();
    await begin(seedOf(1));
  });

  describe('what was made up in the unit', () => {
    it('is new: a credential or presentation by its id and its hash, and nothing else', async () => {
      const credential = await issue({ id: 'urn:subject' });
      const presentation = await credentials.present(ALICE, [credential]);
      for (const document of [credential, presentation]) {
        expect(unit.fresh.has(document.id as string)).toBe(true);
        expect(unit.fresh.has(credentials.hash(document))).toBe(true);
      }
      expect(unit.fresh.has('urn:subject')).toBe(false);
      const foreign = { ...credential, id: 'urn:uuid:from-elsewhere' };
      expect(unit.fresh.has(credentials.hash(foreign))).toBe(false);
    });

    it('is not taken for signed once what it was signed with was taken back', async () => {
      const point = unit.savepoint();
      const credential = await issue({ id: 'urn:subject' });
      unit.rollBack(point);
      expect(await credentials.verifyStored(credential)).toMatchObject({
        verified: false,
        reason: expect.stringContaining('not known here') as string,
      });
    });

    it('needs no second look at its proof, unless something in it was changed, or it is asked whether it holds now', async () => {
      const credential = await issue({ id: 'urn:subject' });
      const reads = vi.spyOn(unit, 'get');
      expect(await credentials.verifyStored(JSON.parse(JSON.stringify(credential)) as JsonObject)).toEqual(HOLDS);
      expect(reads).not.toHaveBeenCalled();
      const other = { ...credential, credentialSubject: [{ id: 'urn:other' }] };
      expect((await credentials.verifyStored(other)).verified).toBe(false);
      const within = (await credentials.present(ALICE, [other])) as JsonObject & { proof: JsonObject };
      expect((await credentials.verifyStored(within)).verified).toBe(false);
      await credentials.verify(credential);
      expect(reads).toHaveBeenCalled();
    });
  });

  describe('issuing', () => {
    it('puts the subject into a signed credential of the data model 1.1', async () => {
      const subject = { id: 'did:example:project', type: 'abc', '@context': ['ipfs://abc'], field0: 1 };
      const credential = await issue(subject);
      expect(credential).toMatchObject({
        '@context': ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/security/data-integrity/v2'],
        id: 'urn:uuid:00000000-0000-4000-8000-000000000001',
        type: ['VerifiableCredential'],
        issuer: ALICE,
        issuanceDate: '2026-01-01T00:00:00.000Z',
        credentialSubject: [subject],
        proof: {
          type: 'DataIntegrityProof',
          cryptosuite: 'eddsa-jcs-2022',
          created: '2026-01-01T00:00:00.000Z',
          proofPurpose: 'assertionMethod',
        },
      });
      expect(credential).not.toHaveProperty('evidence');
      expect((credential.proof as JsonObject).verificationMethod).toMatch(/^did:example:alice#z6Mk\w{44}$/);
      expect(await credentials.verify(credential)).toEqual(HOLDS);
    });

    it('names the group, and holds evidence, where they are given', async () => {
      const evidence = [{ type: ['Approval'] }];
      const credential = await credentials.issue({ issuer: ALICE, group: 'a group', subject: {}, evidence });
      expect(credential).toMatchObject({ issuer: { id: ALICE, group: 'a group' }, evidence });
      expect(await credentials.verify(credential)).toEqual(HOLDS);
      expect(await credentials.issue({ issuer: ALICE, group: null, subject: {} })).toMatchObject({ issuer: ALICE });
    });

    it('does the same twice with the same seed, clock and ids', async () => {
      const first = [await issue({ a: 1 }), (await credentials.createIdentity()).did];
      await begin(seedOf(1));
      expect([await issue({ a: 1 }), (await credentials.createIdentity()).did]).toEqual(first);
    });

    it('works for identities that are no DIDs', async () => {
      for (const issuer of ['alice', 'did:', '#', 'a#b', '__proto__', 'Ä\n', ' ', 'did:hedera:testnet:z6Mk_0.0.1']) {
        expect(await credentials.verify(await issue({ a: 1 }, issuer))).toEqual(HOLDS);
      }
    });

    it('shares nothing with what it was given', async () => {
      const subject = { list: [1] };
      const credential = await issue(subject);
      subject.list.push(2);
      expect(await credentials.verify(credential)).toEqual(HOLDS);
    });

    it('refuses content that cannot be signed, and an issuer without a name', async () => {
      let deep: JsonObject = {};
      for (let level = 0; level < 300; level += 1) deep = { deep };
      await expectRejection(issue(deep), 'CREDENTIAL_INVALID');
      await expectRejection(issue({ text: '\ud800' }), 'CREDENTIAL_INVALID');
      await expectRejection(issue({ number: NaN }), 'CREDENTIAL_INVALID');
      await expectRejection(issue({}, ''), 'CREDENTIAL_INVALID');
      await expectRejection(issue({}, '\ud800'), 'CREDENTIAL_INVALID');
      expect(unit.size).toBe(0);
    });

    it('leaves no more than one record of an identity behind, and only in the unit of work', async () => {
      await issue({ a: 1 });
      await issue({ a: 2 });
      expect(unit.size).toBe(1);
      expect(await store.count('identity', INSTANCE)).toBe(0);
      await commit();
      expect(await store.count('identity', INSTANCE)).toBe(1);
      await begin(seedOf(1));
      await issue({ a: 3 });
      expect(unit.changeSet()).toBeNull();
    });
  });

  describe('verifying', () => {
    it('accepts any subject, as the store and the interface give it back', async () => {
      await fc.assert(
        fc.asyncProperty(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), async (subject) => {
          const credential = await issue(subject as JsonObject);
          expect(await credentials.verify(JSON.parse(JSON.stringify(credential)) as JsonObject)).toEqual(HOLDS);
        }),
        { numRuns: 50 },
      );
    });

    it('refuses a proof by another identity, even one that is known, and a proof of another document', async () => {
      const mine = await issue({ a: 1 });
      const theirs = await issue({ a: 1 }, 'did:example:mallory');
      const reason = 'The credential is not accepted: its proof is not by its issuer.';
      expect(await credentials.verify({ ...theirs, issuer: ALICE })).toEqual({ verified: false, reason });
      expect(await reasonOf({ ...mine, proof: theirs.proof ?? null })).toBe(reason);
      expect(await reasonOf({ ...(await issue({ a: 1 })), proof: mine.proof ?? null })).toContain('does not fit');
    });

    it('refuses a key that its issuer never had, and an issuer that nothing is known of', async () => {
      const credential = await issue({ a: 1 });
      const { verificationMethod: other = '' } = (await issue({}, 'did:example:bob')).proof as Record<string, string>;
      const method = other.replace('did:example:bob', ALICE);
      const proof = { ...(credential.proof as JsonObject), verificationMethod: method };
      expect(await reasonOf({ ...credential, proof })).toContain('its issuer has no such key');
      const elsewhere = new PolicyCredentials(new MemoryStore(), toolsWith(seedOf(1)));
      expect((await elsewhere.verify(credential)).reason).toContain('the keys of its issuer are not known here');
    });

    it('knows what a did:key signed without having seen it before', async () => {
      const { did } = await credentials.createIdentity();
      const credential = await issue({ a: 1 }, did);
      const elsewhere = new PolicyCredentials(new MemoryStore(), toolsWith(seedOf(2)));
      expect(await elsewhere.verify(credential)).toEqual(HOLDS);
    });

    it('refuses any did:key with bytes that are no signature of its key', async () => {
      const good = await issue({ a: 1 });
      const weak = [
        'z6MkeTG3bFFSLYVU7VqhgZxqr6YzpaGrQtFMh1uvqGy1vDnP',
        'z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp',
      ];
      for (const key of weak) {
        const issuer = `did:key:${key}`;
        const proof = { ...(good.proof as JsonObject), verificationMethod: `${issuer}#${key}` };
        expect(await reasonOf({ ...good, issuer, proof })).toContain('does not fit');
      }
    });
  });

  describe('presenting', () => {
    it('bundles credentials under the proof of their holder', async () => {
      const issued = [await issue({ a: 1 }), await issue({ a: 2 }, 'did:example:bob')];
      const presentation = await credentials.present('did:example:carol', issued);
      expect(presentation).toMatchObject({
        id: 'urn:uuid:00000000-0000-4000-8000-000000000003',
        type: ['VerifiablePresentation'],
        holder: 'did:example:carol',
        verifiableCredential: issued,
      });
      expect(await credentials.verify(presentation)).toEqual(HOLDS);
      expect(await credentials.verify(await credentials.present(ALICE, []))).toEqual(HOLDS);
    });

    it('does not make a forged credential true: the first one that does not hold is named', async () => {
      const [good, forged] = [await issue({ a: 1 }), await issue({ a: 2 })];
      forged.credentialSubject = [{ a: 3 }];
      const presentation = await credentials.present(ALICE, [good, forged, { ...forged, issuer: 5 }]);
      expect(await reasonOf(presentation)).toBe(
        'Credential 2 of the presentation is not accepted: its signature does not fit what it says.',
      );
      const { proof: _, ...unsigned } = good;
      expect(await reasonOf(await credentials.present(ALICE, [unsigned]))).toBe(
        'Credential 1 of the presentation is not accepted: it has no proof.',
      );
    });

    it('takes credentials only, and not too many', async () => {
      const one = await issue({});
      const presentation = await credentials.present(ALICE, [one]);
      for (const other of [{}, presentation, null, 'text', [one]]) {
        await expectRejection(credentials.present(ALICE, [one, other as JsonObject]), 'CREDENTIAL_INVALID');
      }
      await expectRejection(credentials.present(ALICE, new Array<JsonObject>(10_001).fill(one)), 'CREDENTIAL_INVALID');
    });

    it('holds a credential that nests as deep as one may', async () => {
      let subject: JsonObject = {};
      for (let level = 0; level < 195; level += 1) subject = { subject };
      const presentation = await credentials.present(ALICE, [await issue(subject)]);
      expect(await credentials.verify(presentation)).toEqual(HOLDS);
    });
  });

  describe('identities', () => {
    it('keep the keys they had when the seed changes: what they signed before still holds', async () => {
      const before = await issue({ a: 1 });
      await commit();
      await begin(seedOf(2));
      expect(await credentials.verify(before)).toEqual(HOLDS);
      const after = await issue({ a: 2 });
      expect((after.proof as JsonObject).verificationMethod).not.toBe((before.proof as JsonObject).verificationMethod);
      await commit();
      for (const each of [before, after]) {
        expect(await new PolicyCredentials(store, toolsWith(seedOf(3))).verify(each)).toEqual(HOLDS);
      }
      const document = (await store.get('identity', INSTANCE, ALICE))?.document;
      const methods = [after, before].map(({ proof }) => (proof as JsonObject).verificationMethod);
      expect(document).toMatchObject({ id: ALICE, assertionMethod: methods, authentication: methods });
      await begin(seedOf(1));
      await issue({ a: 3 });
      expect((await unit.get('identity', INSTANCE, ALICE))?.document.assertionMethod).toEqual(methods.reverse());
    });

    it('that are made here are did:keys that sign, also later, with the same seed only', async () => {
      const { did, document } = await credentials.createIdentity();
      expect(did).toMatch(/^did:key:z6Mk\w{44}$/);
      expect(document).toMatchObject({
        id: did,
        verificationMethod: [{ id: `${did}#${did.slice(8)}`, controller: did }],
      });
      expect((await credentials.createIdentity()).did).not.toBe(did);
      await commit();
      await begin(seedOf(1));
      expect(await credentials.verify(await issue({ a: 1 }, did))).toEqual(HOLDS);
      expect(unit.size).toBe(0);
      await begin(seedOf(2));
      await expectRejection(issue({ a: 1 }, did), 'KEY_UNAVAILABLE');
    });

    it('that are did:keys of others cannot sign here', async () => {
      const did = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp';
      await expectRejection(issue({ a: 1 }, did), 'KEY_UNAVAILABLE');
      await expectRejection(credentials.present(did, []), 'KEY_UNAVAILABLE');
      expect(unit.size).toBe(0);
    });
  });
});
