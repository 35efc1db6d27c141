/** A form of a small policy about farms, two people who fill it in, and what comes of it. */
import type { DocumentInput, JsonObject } from '@blockwork/core/block';
import { blockBench, type BenchSetup, type BlockBench } from '@blockwork/testing';
import { documentValidatorBlock, requestVcDocumentBlock } from '../src/forms/index.js';
import { FARM, schemas } from './farm-schemas.js';

export const ANN = { role: 'Farmer', did: 'did:test:ann', group: '00000000-0000-4000-9000-00000000000a' };
export const BOB = { role: 'Farmer', did: 'did:test:bob', group: '00000000-0000-4000-9000-00000000000b' };
export const farm = { name: 'North field', area: 1.5 };

export const form = (options: JsonObject = {}, setup: BenchSetup = {}): BlockBench =>
  blockBench(requestVcDocumentBlock, {
    roles: ['Farmer'],
    blocks: [documentValidatorBlock],
    ...setup,
    policy: { schemas, ...setup.policy },
    options: { schema: FARM, idType: 'OWNER', ...options },
  });

/** A stored credential about a subject, of somebody. */
export const stored = (
  id: string,
  owner: string,
  subject: JsonObject = {},
  more: Partial<DocumentInput> = {},
): DocumentInput => ({
  id,
  owner,
  schema: FARM,
  type: 'farm',
  messageId: `1.${id}`,
  document: {
    id: `urn:${id}`,
    type: ['VerifiableCredential'],
    credentialSubject: [{ id: `urn:subject:${id}`, ...subject }],
  },
  ...more,
});

export const ran = (bench: BlockBench): JsonObject[] =>
  bench.emitted.filter(({ output }) => output === 'RunEvent').map(({ data }) => data as JsonObject);
export const subjectsOf = (bench: BlockBench): unknown[] =>
  ran(bench).map(({ document }) => ((document as JsonObject).credentialSubject as JsonObject[])[0]);
