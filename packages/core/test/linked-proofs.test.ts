/** Proofs of linked data: what is signed here holds for an independent library, and what that signs holds here. */
import { contextsOf, linkedData } from '@blockwork/linked-data';
import { contexts as ofCredentials } from '@digitalbazaar/credentials-context';
import { Ed25519Signature2018 } from '@digitalbazaar/ed25519-signature-2018';
import { Ed25519VerificationKey2018 } from '@digitalbazaar/ed25519-verification-key-2018';
import { issue, signPresentation, verify, verifyCredential } from '@digitalbazaar/vc';
import { base58 } from '@scure/base';
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PolicyCredentialsWriter } from '../src/context/index.js';
import { publishedDocument } from '../src/credentials/index.js';
import { randomIds, SeededKeys } from '../src/defaults/index.js';
import { BlockworkError } from '../src/errors.js';
import { MemoryStore } from '../src/memory/index.js';
import { INSTANCE } from '../src/records/index.js';
import type { JsonObject, SchemaRecord } from '../src/records/index.js';
import { UnitOfWork } from '../src/transactions/index.js';

const REGISTRY = 'did:example:registry';
const CREDENTIALS = 'https://www.w3.org/2018/credentials/v1';

/** As the reference writes the context of a schema, in which all fields have the same meaning. */
const file = {
  '@context': {
    '@version': 1.1,
    '@vocab': 'https://w3id.org/traceability/#undefinedTerm',
    id: '@id',
    type: '@type',
    'u-1&1.0.0': {
      '@id': '#u-1&1.0.0',
      '@context': {
        field0: { '@id': 'https://www.schema.org/text' },
        field1: { '@id': 'https://www.schema.org/text' },
      },
    },
  },
};
const base32 = (bytes: Uint8Array): string => {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const fives = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0').match(/.{5}/g) ?? [];
  return fives.map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five, 2)]).join('');
};
const digest = createHash('sha256').update(JSON.stringify(file)).digest();
const ADDRESS = `ipfs://b${base32(Uint8Array.of(1, 0x55, 0x12, 32, ...digest))}`;

const PUBLISHED = {
  id: 'did:example:project',
  type: 'u-1&1.0.0',
  '@context': [ADDRESS],
  field0: 'a',
  field1: 12.5,
  other: true,
};
const UNPUBLISHED = {
  id: 'urn:uuid:3',
  type: 'u-2',
  '@context': ['schema:u-2'],
  policyId: 'p',
  ref: null,
  'two words': 'Ünïcode \u{1f33f}',
  place: { type: 'Point', coordinates: [12.5, 48.1] },
  rows: [3, 1, 1, [{ type: 'x', '@context': ['schema:x'], b: null }]],
};
const ROLE = { id: 'did:example:alice', type: 'UserRole', role: 'Producer', groupName: 'g' };

describe('proofs of linked data', () => {
  const clock = { now: () => Date.parse('2026-01-01T00:00:00.000Z') };
  const linked = linkedData();
  let unit: UnitOfWork;
  let credentials: PolicyCredentialsWriter;
  const schema = { id: '#u-1&1.0.0', source: { contextURL: ADDRESS, context: file } } as unknown as SchemaRecord;
  const schemas = { schema: (iri: string) => Promise.resolve(iri === schema.id ? schema : undefined) };

  const writer = (suite: 'eddsa-jcs-2022' | 'Ed25519Signature2018'): PolicyCredentialsWriter =>
    new PolicyCredentialsWriter(
      unit,
      { keys: new SeededKeys(), clock, ids: randomIds, proofs: { suite, linkedData: linked } },
      undefined,
      schemas,
    );

  beforeEach(async () => {
    unit = await UnitOfWork.begin(new MemoryStore(), []);
    credentials = writer('Ed25519Signature2018');
  });

  /** Gives the library the contexts of this document, and keys in the form that the suite knows. */
  const loaderOf = (whole: JsonObject) => async (url: string) => {
    const contexts = await contextsOf(whole, [{ address: ADDRESS, document: file }]);
    const context = url === CREDENTIALS ? ofCredentials.get(url) : contexts.get(url);
    if (context !== undefined) return { documentUrl: url, contextUrl: null, document: context };
    const [did = ''] = url.split('#');
    const identity = await publishedDocument(unit, did);
    if (identity === undefined) throw new Error(`There is nothing at ${url}.`);
    const methods = (identity.verificationMethod as { id: string; publicKeyMultibase: string }[]).map(keyOf);
    const document = { ...identity, '@context': 'https://www.w3.org/ns/did/v1', verificationMethod: methods };
    return { documentUrl: url, contextUrl: null, document: methods.find(({ id }) => id === url) ?? document };
  };
  const keyOf = ({ id, publicKeyMultibase }: { readonly id: string; readonly publicKeyMultibase: string }) => ({
    '@context': 'https://w3id.org/security/suites/ed25519-2018/v1',
    id,
    type: 'Ed25519VerificationKey2018',
    controller: id.split('#')[0],
    publicKeyBase58: base58.encode(base58.decode(publicKeyMultibase.slice(1)).subarray(2)),
  });
  const tools = (whole: JsonObject) => ({
    suite: new Ed25519Signature2018(),
    documentLoader: loaderOf(whole),
    now: new Date(clock.now()),
  });
  const theyAccept = async (credential: JsonObject): Promise<boolean> =>
    (await verifyCredential({ credential: structuredClone(credential), ...tools(credential) })).verified;
  const weAccept = async (document: JsonObject): Promise<boolean> => (await credentials.verify(document)).verified;

  it.each<[string, JsonObject, string | undefined]>([
    ['a published schema', PUBLISHED, undefined],
    ['a schema that was never published, in the name of a group', UNPUBLISHED, 'group-1'],
    ['no schema', ROLE, undefined],
  ])('of a subject of %s hold there and here', async (_, subject, group) => {
    const evidence = [{ type: ['Approval'], verb: 'approved' }];
    const credential = await credentials.issue({
      issuer: REGISTRY,
      ...(group !== undefined && { group }),
      subject,
      evidence,
    });
    expect(credential.proof).toMatchObject({ type: 'Ed25519Signature2018', proofPurpose: 'assertionMethod' });
    expect(await credentials.verify(credential)).toEqual({ verified: true, reason: '' });
    expect(await theyAccept(credential)).toBe(true);
  });

  it('of presentations hold there and here, for the challenge that the reference sets', async () => {
    const held = [PUBLISHED, UNPUBLISHED, ROLE].map((subject) => credentials.issue({ issuer: REGISTRY, subject }));
    const presentation = await credentials.present('did:example:holder', await Promise.all(held));
    expect(presentation.proof).toMatchObject({ proofPurpose: 'authentication', challenge: '123' });
    expect(await credentials.verify(presentation)).toEqual({ verified: true, reason: '' });
    const asked = { presentation: structuredClone(presentation), challenge: '123', ...tools(presentation) };
    expect(await verify(asked)).toMatchObject({ verified: true });
  });

  it('that the library made hold here, and do not once something was changed', async () => {
    const did = 'did:example:them';
    const seed = new Uint8Array(32).fill(5);
    const { publicKeyBase58 } = await Ed25519VerificationKey2018.generate({ id: `${did}#x`, controller: did, seed });
    const publicKeyMultibase = `z${base58.encode(Uint8Array.of(0xed, 1, ...base58.decode(publicKeyBase58)))}`;
    const id = `${did}#${publicKeyMultibase}`;
    const key = await Ed25519VerificationKey2018.generate({ id, controller: did, seed });
    const method = { id, type: 'Multikey', controller: did, publicKeyMultibase };
    const document = { id: did, verificationMethod: [method], assertionMethod: [id], authentication: [id] };
    unit.put('identity', INSTANCE, { id: did, document });
    const credential = {
      '@context': [CREDENTIALS, ADDRESS],
      id: 'urn:uuid:1',
      type: ['VerifiableCredential'],
      issuer: did,
      issuanceDate: '2026-01-01T00:00:00Z',
      credentialSubject: [PUBLISHED],
    };
    const suite = new Ed25519Signature2018({ key, date: '2026-01-01T00:00:00Z' });
    const issued: JsonObject = await issue({ credential, ...tools(credential), suite });
    expect(await credentials.verify(issued)).toEqual({ verified: true, reason: '' });
    const presented: JsonObject = await signPresentation({
      ...tools(credential),
      presentation: {
        '@context': [CREDENTIALS],
        type: ['VerifiablePresentation'],
        holder: did,
        verifiableCredential: [issued],
      },
      challenge: 'anything',
      suite,
    });
    expect(await credentials.verify(presented)).toEqual({ verified: true, reason: '' });
    expect(await weAccept({ ...issued, credentialSubject: [{ ...PUBLISHED, other: false }] })).toBe(false);
    expect(await weAccept({ ...issued, issuanceDate: '2026-01-02T00:00:00Z' })).toBe(false);
  });

  it.each<[string, (credential: JsonObject) => void]>([
    [
      'a field',
      (credential) => ((credential.credentialSubject as JsonObject[])[0] = { ...UNPUBLISHED, policyId: 'q' }),
    ],
    [
      'the order of a list',
      (credential) => ((credential.credentialSubject as JsonObject[])[0] = { ...UNPUBLISHED, rows: [1, 3] }),
    ],
    [
      'a null',
      (credential) => delete ((credential.credentialSubject as JsonObject[])[0] as Partial<JsonObject>)['ref'],
    ],
    [
      'the name of a field',
      (credential) => ((credential.credentialSubject as JsonObject[])[0] = { ...UNPUBLISHED, two_words: 1 }),
    ],
    ['the issuer', (credential) => (credential.issuer = 'did:example:other')],
    ['the date of the proof', (credential) => ((credential.proof as JsonObject).created = '2026-01-01T00:00:01.000Z')],
    [
      'the context of the subject',
      (credential) =>
        ((credential.credentialSubject as JsonObject[])[0] = { ...UNPUBLISHED, '@context': ['schema:u-3'] }),
    ],
    ['a letter of the signature', (credential) => changeLastLetter(credential.proof as JsonObject)],
  ])('do not hold once %s was changed, of a schema that was never published', async (_, change) => {
    await credentials.issue({ issuer: 'did:example:other', subject: ROLE });
    const credential = await credentials.issue({ issuer: REGISTRY, subject: UNPUBLISHED });
    expect(await weAccept(credential)).toBe(true);
    change(credential);
    expect(await weAccept(credential)).toBe(false);
  });

  it('sign the same however the JSON is written, and something else for another value', async () => {
    const subject = { ...PUBLISHED, field0: ['a', 'b'] };
    const credential = await credentials.issue({ issuer: REGISTRY, subject });
    const hash = await credentials.signedHash(credential);
    const of = (more: JsonObject): JsonObject => ({ ...credential, ...more });
    for (const same of [
      of({ type: 'VerifiableCredential' }),
      of({ issuer: { id: REGISTRY } }),
      of({ credentialSubject: { ...subject, field0: ['b', 'a', 'b'] } }),
      of({ credentialSubject: [{ ...subject, none: null, empty: [] }] }),
      await credentials.issue({ issuer: REGISTRY, subject }).then(({ proof }) => of({ proof: proof ?? null })),
    ]) {
      expect(await credentials.signedHash(same)).toBe(hash);
    }
    expect(await weAccept(of({ type: 'VerifiableCredential', credentialSubject: subject }))).toBe(true);
    expect(await credentials.signedHash(of({ credentialSubject: [{ ...subject, other: false }] }))).not.toBe(hash);
  });

  it('are refused with the reason where linked data cannot be read', async () => {
    const credential = await credentials.issue({ issuer: REGISTRY, subject: ROLE });
    const without = new PolicyCredentialsWriter(unit, { keys: new SeededKeys(), clock, ids: randomIds });
    expect((await without.verify(credential)).reason).toContain('needs the option linkedData');
    const foreign = await credentials.issue({ issuer: REGISTRY, subject: PUBLISHED });
    const unknowing = new PolicyCredentialsWriter(unit, {
      ...{ keys: new SeededKeys(), clock, ids: randomIds },
      proofs: { suite: 'eddsa-jcs-2022', linkedData: linked },
    });
    expect((await unknowing.verify(foreign)).reason).toContain(`the context ${ADDRESS} is not known`);
  });

  it('are not made over what would not be signed: eddsa-jcs-2022 signs it', async () => {
    const inPlace = { type: 'u', '@context': [{ '@vocab': 'https://else.example/' }], a: 1 };
    for (const subject of [inPlace, { ...PUBLISHED, id: 'not-an-address' }]) {
      const credential = await credentials.issue({ issuer: REGISTRY, subject });
      expect(credential.proof).toMatchObject({ cryptosuite: 'eddsa-jcs-2022' });
      expect(await weAccept(credential)).toBe(true);
    }
  });

  it('are not exchanged for others where the schemas cannot be read: the error is told', async () => {
    const outage = new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'it is away' } });
    const credential = await credentials.issue({ issuer: REGISTRY, subject: PUBLISHED });
    const troubled = new PolicyCredentialsWriter(
      unit,
      { keys: new SeededKeys(), clock, ids: randomIds, proofs: { suite: 'Ed25519Signature2018', linkedData: linked } },
      undefined,
      { schema: () => Promise.reject(outage) },
    );
    await expect(troubled.issue({ issuer: REGISTRY, subject: PUBLISHED })).rejects.toBe(outage);
    await expect(troubled.verify(credential)).rejects.toBe(outage);
    await expect(troubled.signedHash(credential)).rejects.toBe(outage);
  });

  it('are refused before any schema is read if they name too many, or hold too many objects', async () => {
    const credential = await credentials.issue({ issuer: REGISTRY, subject: ROLE });
    const rows = (count: number, more: (at: number) => JsonObject): JsonObject => ({
      ...credential,
      credentialSubject: [{ ...ROLE, rows: Array.from({ length: count }, (_, at) => more(at)) }],
    });
    const reads = vi.spyOn(schemas, 'schema');
    const named = rows(201, (at) => ({ type: `t${String(at)}`, '@context': [ADDRESS] }));
    expect((await credentials.verify(named)).reason).toContain('it names more than 200 types');
    expect((await credentials.verify(rows(20_000, () => ({})))).reason).toContain('more than 20000 objects');
    expect(reads).not.toHaveBeenCalled();
    reads.mockRestore();
  });

  it('stand beside those of eddsa-jcs-2022, in one presentation too', async () => {
    const earlier = await writer('eddsa-jcs-2022').issue({ issuer: REGISTRY, subject: ROLE });
    const later = await credentials.issue({ issuer: REGISTRY, subject: UNPUBLISHED });
    const presentation = await credentials.present(REGISTRY, [earlier, later]);
    expect(presentation.proof).toMatchObject({ cryptosuite: 'eddsa-jcs-2022' });
    expect(await weAccept(presentation)).toBe(true);
    expect(await weAccept(earlier)).toBe(true);
  });
});

/** Its last letter has bits that no byte needs. */
function changeLastLetter(proof: JsonObject): void {
  const jws = proof.jws as string;
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  proof.jws = jws.slice(0, -1) + (letters[letters.indexOf(jws.at(-1) ?? '') ^ 1] ?? '');
}
