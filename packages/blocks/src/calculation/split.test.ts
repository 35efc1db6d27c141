import type { Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitBlock } from './split.js';

const FIELD = 'document.credentialSubject.0.amount';
const bench = (options: object = {}): BlockBench =>
  blockBench(splitBlock, { options: { threshold: '1000', sourceField: FIELD, ...options } });

const issue = (amount: Json, more: JsonObject = {}): JsonObject => ({
  owner: 'did:bench:a',
  type: 'issue',
  messageId: '1.1',
  document: { type: ['VerifiableCredential'], credentialSubject: [{ id: 'urn:x', amount }] },
  ...more,
});

type Piece = { document: { credentialSubject: [JsonObject]; evidence?: JsonObject[] } } & JsonObject;
const bundles = ({ emitted }: BlockBench): Piece[][] =>
  emitted.filter(({ output }) => output === 'RunEvent').map(({ data }) => data as unknown as Piece[]);
const amounts = (tested: BlockBench): Json[][] =>
  bundles(tested).map((pieces) => pieces.map(({ document }) => document.credentialSubject[0].amount ?? null));

describe('splitBlock', () => {
  it('cuts into bundles of the threshold, and keeps the rest for the next', async () => {
    const tested = bench();
    await tested.as('Worker').event('RunEvent', issue(2500));
    expect(amounts(tested)).toEqual([[1000], [1000]]);
    await tested.as('Worker').event('RunEvent', issue(700));
    expect(amounts(tested)).toEqual([[1000], [1000], [500, 500]]);
    await tested.as('Worker').event('RunEvent', [issue(100), issue(699.5), issue(0.5)]);
    expect(amounts(tested).at(-1)).toEqual([200, 100, 699.5, 0.5]);
  });

  it('signs each piece as the owner of the policy, with evidence of its source', async () => {
    const tested = bench();
    await tested.as('Worker').event('RunEvent', issue(2500, { option: { status: 'Approved' }, id: 'stored' }));
    const [[piece] = []] = bundles(tested);
    expect(piece).toMatchObject({
      owner: 'did:bench:a',
      type: 'issue',
      messageId: '1.1',
      relationships: ['1.1'],
      option: { status: 'Approved' },
      document: {
        issuer: 'did:bench:owner',
        proof: {},
        evidence: [
          {
            type: ['SourceDocument'],
            messageId: '1.1',
            sourceField: FIELD,
            sourceValue: 2500,
            threshold: 1000,
            chunkNumber: 1,
            maxChunks: 3,
          },
        ],
      },
    });
    expect(piece).not.toHaveProperty('id');
  });

  it('keeps the rest of each user apart', async () => {
    const tested = bench();
    await tested.as({ role: 'Worker', did: 'did:bench:a' }).event('RunEvent', issue(600));
    await tested.as({ role: 'Worker', did: 'did:bench:b' }).event('RunEvent', issue(600));
    expect(amounts(tested)).toEqual([]);
  });

  it('leaves text as text', async () => {
    const tested = bench({ threshold: 0.1 });
    await tested.as('Worker').event('RunEvent', issue('0.3'));
    expect(amounts(tested)).toEqual([['0.1'], ['0.1'], ['0.1']]);
  });

  it('loses nothing and makes nothing, whatever the numbers', async () => {
    const cents = fc.integer({ min: 1, max: 500 });
    await fc.assert(
      fc.asyncProperty(fc.array(cents, { minLength: 1, maxLength: 6 }), cents, async (list, threshold) => {
        const tested = bench({ threshold: threshold / 100 });
        await tested.as('Worker').event(
          'RunEvent',
          list.map((each) => issue(each / 100)),
        );
        const sums = amounts(tested).map((pieces) =>
          pieces.reduce<number>((sum, each) => sum + Math.round(Number(each) * 100), 0),
        );
        expect(sums.every((sum) => sum === threshold)).toBe(true);
        const total = list.reduce((sum, each) => sum + each, 0);
        expect(sums).toHaveLength(Math.floor(total / threshold));
        await tested.close();
      }),
      { numRuns: 15 },
    );
  });

  it.each([
    ['no number', 'many'],
    ['nothing', null],
    ['a negative number', -5],
    ['too many pieces', 1e9],
  ])('refuses %s', async (_, amount) => {
    const tested = bench();
    await expect(tested.as('Worker').event('RunEvent', issue(amount))).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('refuses a field that the subject does not have', async () => {
    const tested = bench({ sourceField: 'option.count' });
    const failed = tested.as('Worker').event('RunEvent', issue(1, { option: { count: 5 } }));
    await expect(failed).rejects.toMatchObject({ code: 'BLOCK_MISCONFIGURED' });
  });

  it('cannot work without a threshold', async () => {
    const tested = bench({ threshold: '' });
    await expect(tested.as('Worker').event('RunEvent', issue(1))).rejects.toMatchObject({
      code: 'BLOCK_MISCONFIGURED',
    });
  });
});
