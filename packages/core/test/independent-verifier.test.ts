/** An independent verifier: the policies of Digital Bazaar accepts what is issued here, and refuses what was changed. */
import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { createVerifyCryptosuite } from '@digitalbazaar/eddsa-jcs-2022-cryptosuite';
import { CredentialIssuancePurpose, verify, verifyCredential } from '@digitalbazaar/vc';
import { beforeEach, describe, expect, it } from 'vitest';
import { publishedDocument } from '../src/credentials/index.js';
import { MemoryStore } from '../src/memory/index.js';
import { randomIds, SeededKeys } from '../src/defaults/index.js';
import type { Json, JsonObject } from '../src/records/index.js';
import { PolicyCredentialsWriter } from '../src/context/index.js';
import { UnitOfWork } from '../src/transactions/index.js';

const REGISTRY = 'did:example:registry';
const SUBJECT = {
  id: 'did:example:project',
  type: 'd6bbb1f0-5b1b-4a0b-9f1e-0c6f3a1e2b11',
  '@context': ['ipfs://bafkreischema'],
  field0: 'Ünïcode \u{1f33f}',
  field1: { tonnes: 12.5, items: [1e21, -0, 0.1, null, true] },
};

/** Who bundles credentials signs them as an issuer does; the policies has no purpose of its own for it. */
class HolderPurpose extends CredentialIssuancePurpose {
  override validate(proof: unknown, options: { readonly document: JsonObject }): Promise<unknown> {
    return super.validate(proof, {
      ...options,
      document: { ...options.document, issuer: options.document.holder ?? null },
    });
  }
}

describe('what is issued here, in the eyes of an independent verifier', () => {
  const clock = { now: () => Date.parse('2026-01-01T00:00:00.000Z') };
  let unit: UnitOfWork;
  let credentials: PolicyCredentialsWriter;

  beforeEach(async () => {
    unit = await UnitOfWork.begin(new MemoryStore(), []);
    credentials = new PolicyCredentialsWriter(unit, { keys: new SeededKeys(), clock, ids: randomIds });
  });

  /** Gives the verifier the documents of identities and of their keys, and nothing from the network. */
  async function documentLoader(url: string): Promise<{ documentUrl: string; contextUrl: null; document: unknown }> {
    const [did = ''] = url.split('#');
    const identity = await publishedDocument(unit, did);
    if (identity === undefined) throw new Error(`There is nothing at ${url}.`);
    const methods = identity.verificationMethod as { id: string }[];
    const method = methods.find(({ id }) => id === url);
    const document = url === did ? identity : { '@context': 'https://w3id.org/security/multikey/v1', ...method };
    return { documentUrl: url, contextUrl: null, document };
  }

  const tools = () => ({
    suite: new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() }),
    documentLoader,
    now: new Date(clock.now()),
  });
  const accepts = async (credential: JsonObject): Promise<boolean> =>
    (await verifyCredential({ credential: structuredClone(credential), ...tools() })).verified;
  const acceptsPresentation = async (presentation: JsonObject): Promise<boolean> =>
    (
      await verify({
        presentation: structuredClone(presentation),
        presentationPurpose: new HolderPurpose(),
        ...tools(),
      })
    ).verified;

  it('a credential holds', async () => {
    const credential = await credentials.issue({
      issuer: REGISTRY,
      subject: SUBJECT,
      evidence: [{ type: ['Approval'], verb: 'approved' }],
    });
    expect(await accepts(credential)).toBe(true);
    expect(await credentials.verify(credential)).toEqual({ verified: true, reason: '' });
  });

  it('a credential in the name of a group, and one by a new identity, hold', async () => {
    const group = '4f9bfa5e-51a2-4a37-9ee8-1d7e2e0a3c01';
    const { did } = await credentials.createIdentity();
    expect(await accepts(await credentials.issue({ issuer: REGISTRY, group, subject: SUBJECT }))).toBe(true);
    expect(await accepts(await credentials.issue({ issuer: did, subject: SUBJECT }))).toBe(true);
  });

  it.each<[string, (document: JsonObject) => void]>([
    ['subject', (document) => ((document.credentialSubject as JsonObject[])[0] = { ...SUBJECT, field0: 'changed' })],
    ['issuer', (document) => (document.issuer = 'did:example:other')],
    ['date', (document) => (document.issuanceDate = '2025-12-31T00:00:00.000Z')],
    ['first context', (document) => ((document['@context'] as Json[])[1] = 'https://example.com/other')],
    ['date of the proof', (document) => ((document.proof as JsonObject).created = '2025-12-31T00:00:00.000Z')],
  ])('a changed %s is refused there and here', async (_, change) => {
    await credentials.issue({ issuer: 'did:example:other', subject: {} });
    const credential = await credentials.issue({ issuer: REGISTRY, subject: SUBJECT });
    change(credential);
    expect(await accepts(credential)).toBe(false);
    expect(await credentials.verify(credential)).toMatchObject({ verified: false });
  });

  it('a presentation holds, and one with a changed credential is refused there and here', async () => {
    const first = await credentials.issue({ issuer: REGISTRY, subject: SUBJECT });
    const second = await credentials.issue({
      issuer: 'did:example:other',
      subject: { id: 'did:example:b', amount: 1 },
    });
    const presentation = await credentials.present(REGISTRY, [first, second]);
    expect(await acceptsPresentation(presentation)).toBe(true);
    (second.credentialSubject as JsonObject[])[0] = { id: 'did:example:b', amount: 2 };
    const forged = await credentials.present(REGISTRY, [first, second]);
    expect(await acceptsPresentation(forged)).toBe(false);
    expect(await credentials.verify(forged)).toMatchObject({ verified: false });
  });
});
