import { MemoryStore } from '@blockwork/core';
import type { Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FARM, schemas } from '../../test/farm-schemas.js';
import { customLogicBlock } from './custom-logic.js';

/** Its scripts have all the time that a busy machine needs. */
const customLogic = customLogicBlock({ scripts: { milliseconds: 60_000 } });

const bench = (expression: string, options: object = {}): BlockBench =>
  blockBench(customLogic, {
    policy: { schemas },
    options: { expression, outputSchema: FARM, idType: 'UUID', ...options },
  });

const input = (subject: JsonObject, more: JsonObject = {}): JsonObject => ({
  owner: 'did:bench:owner',
  document: {
    type: ['VerifiableCredential'],
    issuer: 'did:bench:owner',
    credentialSubject: [{ id: 'urn:subject', ...subject }],
  },
  ...more,
});

async function outcome(tested: BlockBench, data: Json): Promise<Json> {
  await tested.as('Farmer').event('RunEvent', data);
  return tested.emitted.find(({ output }) => output === 'RunEvent')?.data ?? null;
}
const subjectOf = (record: Json): JsonObject =>
  (((record as JsonObject).document as JsonObject).credentialSubject as JsonObject[])[0] ?? {};

describe('customLogicBlock', () => {
  it('leaves a result without a proof and ties where a later block signs it', async () => {
    const record = await outcome(
      bench('done({ name: "North" });', { unsigned: true }),
      input({ name: 'North' }, { messageId: '1.1', accounts: { default: '0.0.7' } }),
    );
    expect(record).toMatchObject({ owner: 'did:bench:owner', schema: FARM, signature: 0 });
    expect((record as JsonObject).document).not.toHaveProperty('proof');
    for (const tie of ['relationships', 'accounts', 'tokens']) expect(record).not.toHaveProperty(tie);
  });

  it('passes its documents on as they came, if it is to, once the script has let them', async () => {
    const judging = 'if (documents[0].document.credentialSubject[0].area < 0) throw new Error("negative"); done(null);';
    const tested = bench(judging, { passOriginal: true, outputSchema: '' });
    expect(await tested.findings()).toEqual([]);
    const document = input({ area: 1 }, { id: 'a', messageId: '1.1' });
    expect(await outcome(tested, document)).toEqual(document);
    await expect(outcome(tested, input({ area: -1 }))).rejects.toMatchObject({
      code: 'SCRIPT_FAILED',
      message: expect.stringContaining('negative') as string,
    });
  });

  it('refuses more results than a unit of work may make before it signs the first', async () => {
    const script = 'done(Array.from({ length: 100000 }, (_, area) => ({ area })));';
    await expect(outcome(bench(script), input({}))).rejects.toMatchObject({ code: 'DOCUMENTS_TOO_MANY' });
  });

  it('makes a signed credential of what the script says', async () => {
    const script =
      'done({ name: documents[0].document.credentialSubject[0].name + "!", area: mathjs.sum([0.1, 0.2]) });';
    const record = await outcome(bench(script), input({ name: 'North', ref: 'urn:ref' }, { messageId: '1.1' }));
    expect(record).toMatchObject({
      owner: 'did:bench:owner',
      type: FARM,
      schema: FARM,
      relationships: ['1.1'],
      document: { issuer: 'did:bench:owner', proof: {} },
    });
    expect(subjectOf(record)).toMatchObject({ name: 'North!', area: 0.3, ref: 'urn:ref', type: FARM.slice(1) });
    expect(subjectOf(record).id).toMatch(/^urn:uuid:/);
  });

  it('makes one for each element of a list', async () => {
    const records = await outcome(bench('done(documents.map((d, i) => ({ name: "n" + i })));'), [input({}), input({})]);
    expect((records as Json[]).map((record) => subjectOf(record).name)).toEqual(['n0', 'n1']);
  });

  it('names the subject as its options say', async () => {
    const script = 'done({ name: "x" });';
    expect(subjectOf(await outcome(bench(script, { idType: 'DOCUMENT' }), input({}))).id).toBe('urn:subject');
    expect(subjectOf(await outcome(bench(script, { idType: '' }), input({})))).not.toHaveProperty('id');
    const owner = bench(script, { idType: 'OWNER' });
    await owner.as({ role: 'Farmer', did: 'did:bench:ann' }).event('RunEvent', input({}));
    expect(subjectOf(owner.emitted[0]?.data ?? null).id).toBe('did:bench:ann');
  });

  it('is signed by whom its options say, who is named as the issuer', async () => {
    const tested = bench('done({ name: "x" });', { documentSigner: 'owner' });
    await tested.as({ role: 'Farmer', did: 'did:bench:ann' }).event('RunEvent', input({}, { owner: 'did:bench:ann' }));
    expect(tested.emitted[0]?.data).toMatchObject({ owner: 'did:bench:ann', document: { issuer: 'did:bench:ann' } });
  });

  it('is signed by the issuer of what it was made from, whoever owns that', async () => {
    const tested = bench('done({ name: "x" });', { documentSigner: 'issuer' });
    const source = input({}, { owner: 'did:bench:ann' });
    const document = { ...(source.document as JsonObject), issuer: 'did:bench:bob' };
    await tested.as({ role: 'Farmer', did: 'did:bench:ann' }).event('RunEvent', { ...source, document });
    expect(tested.emitted[0]?.data).toMatchObject({ owner: 'did:bench:ann', document: { issuer: 'did:bench:bob' } });
  });

  it('refuses what the schema does not take', async () => {
    await expect(outcome(bench('done({ name: 5 });'), input({}))).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      details: [{ path: '/result/name' }],
    });
  });

  it.each([
    ['fails', 'nothing.here;', /nothing.*line 1/],
    ['gives nothing', 'const a = 1;', /never called done/],
    ['gives no object', 'done("text");', /must be an object/],
  ])('refuses the run where the script %s, and changes nothing', async (_, script, reason) => {
    const tested = bench(script);
    const failed = outcome(tested, input({}));
    await expect(failed).rejects.toMatchObject({
      code: 'SCRIPT_FAILED',
      message: expect.stringMatching(reason) as string,
    });
    expect(await tested.documents()).toEqual([]);
  });

  it('stops a script that does not end', async () => {
    const impatient = customLogicBlock({ scripts: { milliseconds: 50, memory: 2 ** 24, stack: 2 ** 17 } });
    const tested = blockBench(impatient, {
      policy: { schemas },
      options: { expression: 'for (;;);', outputSchema: FARM },
    });
    await expect(outcome(tested, input({}))).rejects.toThrow(/longer than 50 ms/);
  });

  it('wants the files that it names', async () => {
    const tested = bench('done({});', { artifacts: [{ uuid: 'no-such', type: 'JSON', name: 'factors' }] });
    await expect(outcome(tested, input({}))).rejects.toThrow(/no file "factors"/);
  });

  it('asks for all of its files at once, and names the first that is missing', async () => {
    const get = vi.spyOn(MemoryStore.prototype, 'get');
    onTestFinished(() => get.mockRestore());
    const artifacts = ['a', 'b', 'c'].map((uuid) => ({ uuid, type: 'JSON' }));
    const tested = bench('done({});', { artifacts });
    await expect(outcome(tested, input({}))).rejects.toThrow(/no file "a"/);
    expect(get.mock.calls.filter(([kind]) => kind === 'artifact').map(([, , id]) => id)).toEqual(['a', 'b', 'c']);
  });
});
