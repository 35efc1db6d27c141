import type { Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { reassigningBlock } from './reassigning.js';

const OWNER = 'did:bench:owner';
const reassigning = (options: JsonObject): BlockBench => blockBench(reassigningBlock, { roles: ['Farmer'], options });
const run = (bench: BlockBench, data: unknown): Promise<void> => bench.as(ANN).event('RunEvent', data as Json);

const application = credential(
  'a',
  BOB.did,
  { name: 'North field', ref: 'urn:ref' },
  {
    schema: '#farm',
    option: { status: 'Approved' },
    accounts: { default: '0.0.5' },
    tokens: { credit: '0.0.9' },
    relationships: ['0.1'],
    group: BOB.group,
    hash: 'old',
  },
);

describe('reissuing', () => {
  it.each([
    ['policyOwner', OWNER],
    ['owner', BOB.did],
    ['', ANN.did],
  ])('lets the one sign whom the policy means: %j', async (issuer, did) => {
    const bench = reassigning({ issuer });
    await run(bench, application);
    expect(sent(bench)[0]).toMatchObject({ document: { issuer: did, proof: {} } });
  });

  it.each([
    ['owner', BOB.did],
    ['issuer', OWNER],
    ['', ANN.did],
  ])('goes on in the name of whom the policy means: %j', async (actor, did) => {
    const bench = reassigning({ issuer: 'policyOwner', actor });
    await run(bench, application);
    expect(bench.emitted.map(({ output, did: who }) => [output, who])).toEqual([
      ['RunEvent', did],
      ['ReleaseEvent', did],
      ['RefreshEvent', did],
    ]);
  });

  it('makes a document of its own, which builds on the old one and says the same', async () => {
    const bench = reassigning({ issuer: 'policyOwner' });
    await run(bench, application);
    const [copy] = sent(bench);
    expect(copy).toMatchObject({
      owner: BOB.did,
      group: BOB.group,
      schema: '#farm',
      type: 'farm',
      option: { status: 'Approved' },
      accounts: { default: '0.0.5' },
      tokens: { credit: '0.0.9' },
      relationships: ['1.a'],
      hederaStatus: 'NEW',
      document: { credentialSubject: [{ id: 'urn:subject:a', name: 'North field', ref: 'urn:ref' }] },
    });
    expect(copy?.id).toBeUndefined();
    expect(copy?.messageId).toBeUndefined();
    expect(copy?.hash).not.toBe('old');
    expect((copy?.document as JsonObject).id).not.toBe('urn:a');
    expect(await bench.documents()).toEqual([]);
  });

  it('builds on nothing where the old one is not on the ledger', async () => {
    const bench = reassigning({});
    await run(bench, { ...application, messageId: null });
    expect(sent(bench)[0]).toMatchObject({ relationships: [] });
  });

  it('keeps the evidence', async () => {
    const evidence = [{ type: ['SourceDocument'], id: 'urn:source' }];
    const bench = reassigning({});
    await run(bench, { ...application, document: { ...application.document, evidence } });
    expect(sent(bench)[0]).toMatchObject({ document: { evidence } });
  });

  it('signs each credential of a list, and lets presentations pass', async () => {
    const presentation = { owner: ANN.did, document: { id: 'urn:p', type: ['VerifiablePresentation'] } };
    const bench = reassigning({ issuer: 'policyOwner', actor: 'owner' });
    await run(bench, [credential('b', ANN.did), presentation, application]);
    const [list] = sent(bench);
    expect(list).toMatchObject([{ document: { issuer: OWNER } }, presentation, { document: { issuer: OWNER } }]);
    expect(bench.emitted[0]?.did).toBe(BOB.did);
  });

  it('fails without a document', async () => {
    await expect(run(reassigning({}), null)).rejects.toThrow('no document');
  });
});
