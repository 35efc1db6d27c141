/** Stored documents and users for tests. */
import type { DocumentInput, JsonObject } from '@blockwork/core/block';
import type { BlockBench } from '@blockwork/testing';

export const ANN = { role: 'Farmer', did: 'did:test:ann', group: '00000000-0000-4000-9000-00000000000a' };
export const BOB = { role: 'Farmer', did: 'did:test:bob', group: '00000000-0000-4000-9000-00000000000b' };

/** A credential about a subject, as an embedder adds it; `messageId` is `1.<id>`. */
export const credential = (
  id: string,
  owner: string,
  subject: JsonObject = {},
  more: Partial<DocumentInput> = {},
): DocumentInput => ({
  id,
  owner,
  type: 'farm',
  messageId: `1.${id}`,
  document: {
    id: `urn:${id}`,
    type: ['VerifiableCredential'],
    issuer: owner,
    issuanceDate: '2026-01-01T00:00:00Z',
    credentialSubject: [{ id: `urn:subject:${id}`, ...subject }],
  },
  ...more,
});

/** What the block under test has sent along one output. */
export const sent = (bench: BlockBench, output = 'RunEvent'): JsonObject[] =>
  bench.emitted.filter((event) => event.output === output).map(({ data }) => data as JsonObject);
