import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../records/index.js';
import { documentHash } from './document-hash.js';

const credential: JsonObject = {
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  id: 'urn:uuid:1',
  issuanceDate: '2026-01-01T00:00:00.000Z',
  issuer: 'did:example:a',
  type: ['VerifiableCredential'],
  credentialSubject: [{ amount: 1 }],
};
const hashOf = (text: string): string => base58.encode(createHash('sha256').update(text).digest());

describe('the hash of a document', () => {
  it('of a credential covers its id, type, issuer and date, in that order, and nothing else', () => {
    const text =
      '{"id":"urn:uuid:1","type":["VerifiableCredential"],"issuer":"did:example:a","issuanceDate":"2026-01-01T00:00:00.000Z"}';
    expect(documentHash(credential)).toBe(hashOf(text));
    expect(documentHash({ ...credential, credentialSubject: [{ amount: 2 }] })).toBe(hashOf(text));
    expect(documentHash({ ...credential, id: 'urn:uuid:2' })).not.toBe(hashOf(text));
  });

  it('of a presentation covers its id, type and the hashes of its credentials', () => {
    const presentation: JsonObject = {
      id: 'urn:uuid:2',
      type: ['VerifiablePresentation'],
      holder: 'did:example:a',
      verifiableCredential: [credential],
    };
    const text = `{"id":"urn:uuid:2","type":["VerifiablePresentation"],"verifiableCredential":["${documentHash(credential)}"]}`;
    expect(documentHash(presentation)).toBe(hashOf(text));
  });

  it('is there for anything, however deep', () => {
    let issuer: JsonObject = {};
    for (let level = 0; level < 100_000; level += 1) issuer = { issuer };
    expect(documentHash({})).toBe(hashOf('{}'));
    expect(documentHash({ id: 1, issuer })).toBe(hashOf('{"id":1}'));
    expect(documentHash({ type: 'VerifiablePresentation', verifiableCredential: [null, 'text'] })).toMatch(
      /^\w{43,44}$/,
    );
  });
});
