import { createPrivateKey, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../records/index.js';
import { fromMultikey } from './multikey.js';
import { createProof, verifyProof, type KeyResolver } from './proof.js';

/** The example of Data Integrity EdDSA Cryptosuites 1.0, appendix B.2 (Representation: eddsa-jcs-2022). */
const PUBLIC_KEY = 'z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2';
const SECRET_KEY = 'z3u2en7t5LR2WtQH5PfFqMqwVHBeXouLzo6haApm8XHqvjxq';
const METHOD = `did:key:${PUBLIC_KEY}#${PUBLIC_KEY}`;
const CREDENTIAL: JsonObject = {
  '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/examples/v2'],
  id: 'urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33',
  type: ['VerifiableCredential', 'AlumniCredential'],
  name: 'Alumni Credential',
  description: 'A minimum viable example of an Alumni Credential.',
  issuer: 'https://vc.example/issuers/5678',
  validFrom: '2023-01-01T00:00:00Z',
  credentialSubject: { id: 'did:example:abcdefgh', alumniOf: 'The School of Examples' },
};
const PROOF: JsonObject = {
  type: 'DataIntegrityProof',
  cryptosuite: 'eddsa-jcs-2022',
  created: '2023-02-24T23:36:38Z',
  verificationMethod: METHOD,
  proofPurpose: 'assertionMethod',
  '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/examples/v2'],
  proofValue: 'z2HnFSSPPBzR36zdDgK8PbEHeXbR56YF24jwMpt3R1eHXQzJDMWS93FCzpvJpwTWd3GAVFuUfjoJdcnTMuVor51aX',
};

const seed = Buffer.from(base58.decode(SECRET_KEY.slice(1))).subarray(2);
const key = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
  format: 'der',
  type: 'pkcs8',
});
const request = {
  verificationMethod: METHOD,
  created: '2023-02-24T23:36:38Z',
  purpose: 'assertionMethod' as const,
  sign: (bytes: Uint8Array): Promise<Uint8Array> => Promise.resolve(sign(null, bytes, key)),
};
const resolveKey: KeyResolver = ({ verificationMethod }) => {
  const publicKey = verificationMethod === METHOD ? fromMultikey(PUBLIC_KEY) : undefined;
  return Promise.resolve(publicKey === undefined ? { reason: 'no such key' } : { key: publicKey });
};
const verdictOn = (document: JsonObject, now = 0) => verifyProof(document, resolveKey, now);
const signed = async (document: JsonObject, extra: JsonObject = {}): Promise<JsonObject> => {
  const proof = await createProof({ ...document }, request);
  return { ...document, proof: { ...proof, ...extra } };
};

describe('a proof', () => {
  it('of the specification’s example is made as the specification has it', async () => {
    expect(await createProof(CREDENTIAL, request)).toEqual(PROOF);
  });

  it('of the specification’s example holds', async () => {
    expect(await verdictOn({ ...CREDENTIAL, proof: PROOF })).toEqual({ verified: true, reason: '' });
  });

  it('does not hold for another document', async () => {
    expect(await verdictOn({ ...CREDENTIAL, name: 'Other', proof: PROOF })).toEqual({
      verified: false,
      reason: 'its signature does not fit what it says',
    });
  });

  it('holds when contexts are added at the end, but not in front, and not when one is missing or the order changes', async () => {
    const [first, second] = CREDENTIAL['@context'] as string[];
    const withContext = (...contexts: (string | undefined)[]): JsonObject => ({
      ...CREDENTIAL,
      '@context': contexts as string[],
      proof: PROOF,
    });
    expect(await verdictOn(withContext(first, second, 'https://example.com/more'))).toMatchObject({ verified: true });
    const reason = 'its @context is not the one that was signed';
    expect(await verdictOn(withContext('https://example.com/more', first, second))).toMatchObject({ reason });
    expect(await verdictOn(withContext(second, first))).toMatchObject({ reason });
    expect(await verdictOn(withContext(first))).toMatchObject({ reason });
  });

  it('of a document without contexts has none, and holds', async () => {
    const { '@context': _, ...plain } = CREDENTIAL;
    const document = await signed(plain);
    expect(document.proof).not.toHaveProperty('@context');
    expect(await verdictOn(document)).toMatchObject({ verified: true });
    expect(await verdictOn({ ...document, '@context': ['https://example.com'] })).toMatchObject({ verified: false });
  });

  it('covers what it says of itself', async () => {
    expect(await verdictOn(await signed(CREDENTIAL))).toMatchObject({ verified: true });
    expect(await verdictOn(await signed(CREDENTIAL, { domain: 'example.com' }))).toMatchObject({ verified: false });
    expect(await verdictOn(await signed(CREDENTIAL, { created: '2023-02-24T23:36:39Z' }))).toMatchObject({
      verified: false,
    });
  });

  it('that is not understood, or not complete, is refused with a reason', async () => {
    const refusedFor = async (extra: JsonObject): Promise<string> =>
      (await verdictOn(await signed(CREDENTIAL, extra))).reason;
    expect(await refusedFor({ type: 'Ed25519Signature2020' })).toContain('has the type "Ed25519Signature2020"');
    expect(await refusedFor({ cryptosuite: 'ecdsa-rdfc-2019' })).toContain('has the cryptosuite "ecdsa-rdfc-2019"');
    expect(await refusedFor({ cryptosuite: ['eddsa-jcs-2022'] })).toContain('cryptosuite');
    expect(await refusedFor({ verificationMethod: { id: METHOD } })).toContain('names no verification method');
    expect(await refusedFor({ proofPurpose: null })).toContain('names no purpose');
    expect(await refusedFor({ previousProof: 'urn:uuid:1' })).toContain('builds on another proof');
    expect(await refusedFor({ created: '24 Feb 2023' })).toContain('date');
    expect(await refusedFor({ created: '2023-02-31T25:00:00Z' })).toContain('date');
    expect(await refusedFor({ expires: 5 })).toContain('expires');
    for (const proofValue of [5, '', 'z', 'zzzz', 'mAAAA', `z${'1'.repeat(63)}`, `z${'2'.repeat(1_000_000)}`]) {
      expect(await refusedFor({ proofValue })).toBe('its proof value is not a signature in base 58');
    }
    expect((await verdictOn({ ...CREDENTIAL, proof: [PROOF] })).reason).toContain('list of proofs');
    expect((await verdictOn({ ...CREDENTIAL, proof: 'proof' })).reason).toContain('not an object');
    expect((await verdictOn(CREDENTIAL)).reason).toBe('it has no proof');
  });

  it('holds until it expires', async () => {
    const expires = '2024-01-01T00:00:00Z';
    const options = { ...PROOF, expires };
    const at = (now: string) => verdictOn({ ...CREDENTIAL, proof: options }, Date.parse(now));
    expect(await at('2024-01-01T00:00:00Z')).toMatchObject({ reason: 'its proof has expired' });
    expect((await at('2023-12-31T23:59:59Z')).reason).not.toContain('expired');
  });
});
