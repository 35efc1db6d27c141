import type { BlockType, Json } from '@blockwork/core/block';
import { blockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { switchBlock } from './switch.js';

const equal = (value: string, tag: string, actor = '') => ({ type: 'equal', value, tag, actor });
const bench = (conditions: readonly object[], more: object = {}) =>
  blockBench(switchBlock(), { options: { executionFlow: 'firstTrue', conditions, ...more } });

const document = (subject: Record<string, Json>, owner = 'did:bench:a'): Record<string, Json> => ({
  owner,
  document: { type: ['VerifiableCredential'], issuer: 'did:bench:issuer', credentialSubject: [subject] },
});

async function outputs(conditions: readonly object[], data: Json, more: object = {}): Promise<string[]> {
  const tested = bench(conditions, more);
  await tested.as('Worker').event('RunEvent', data);
  return tested.emitted.map(({ output }) => output);
}

const original = switchBlock();

/** The switch, and a change with it: a unit of work that changes nothing leaves no entry in the journal. */
const noting: BlockType = {
  ...original,
  on: {
    async RunEvent(ctx, event) {
      await ctx.state.set('was here');
      await original.on?.RunEvent?.(ctx, event);
    },
  },
};

describe('switchBlock', () => {
  it('goes the way of the first condition that is met', async () => {
    const conditions = [equal('x == 1', 'one'), equal('x == 2', 'two'), equal('true == true', 'other')];
    expect(await outputs(conditions, document({ x: 2 }))).toEqual(['two', 'RefreshEvent', 'ReleaseEvent']);
    expect(await outputs(conditions, document({ x: 3 }))).toEqual(['other', 'RefreshEvent', 'ReleaseEvent']);
  });

  it('goes all ways that are met where that is wanted', async () => {
    const conditions = [equal('x > 0', 'a'), equal('x > 5', 'b'), equal('x > 1', 'c')];
    const all = await outputs(conditions, document({ x: 2 }), { executionFlow: 'allTrue' });
    expect(all).toEqual(['a', 'RefreshEvent', 'c', 'RefreshEvent', 'ReleaseEvent']);
  });

  it('compares without conversion between types', async () => {
    expect(await outputs([equal('x == 5', 'a')], document({ x: '5' }))).toEqual(['ReleaseEvent']);
    expect(await outputs([equal('x == "yes"', 'a')], document({ x: 'yes' }))).toContain('a');
  });

  it('takes the opposite for not_equal, and anything for unconditional', async () => {
    const conditions = [
      { ...equal('x == 1', 'a'), type: 'not_equal' },
      { type: 'unconditional', tag: 'b' },
    ];
    expect(await outputs(conditions, document({ x: 2 }))).toContain('a');
    expect(await outputs(conditions, document({ x: 1 }))).toContain('b');
    expect(await outputs(conditions, null)).toEqual(['b', 'RefreshEvent', 'ReleaseEvent']);
  });

  it('takes what cannot be worked out for not met, and says so in the journal', async () => {
    const conditions = [equal('option.status2 == APPROVED', 'a'), { ...equal('missing', 'b'), type: 'not_equal' }];
    const tested = blockBench(noting, { options: { executionFlow: 'firstTrue', conditions } });
    await tested.as('Worker').event('RunEvent', document({ x: 1 }));
    expect(tested.emitted.map(({ output }) => output)).toEqual(['ReleaseEvent']);
    const { engine, policyId, owner } = await tested.open();
    const { items } = await engine.journal.list(owner, policyId);
    expect(items.flatMap(({ warnings }) => warnings)).toMatchObject([
      { tag: 'block', message: expect.stringContaining('Nothing is called "option"') },
      { tag: 'block', message: expect.stringContaining('Nothing is called "missing"') },
    ]);
  });

  it('sees lists of several documents', async () => {
    const conditions = [equal('sum(x) > 5', 'many'), { type: 'unconditional', tag: 'few' }];
    expect(await outputs(conditions, [document({ x: 3 }), document({ x: '4' })])).toContain('many');
    expect(
      await outputs(conditions, [
        document({ x: 3 }),
        { owner: 'did:a', document: { type: ['VerifiablePresentation'] } },
      ]),
    ).toContain('few');
  });

  it('goes on in the name of the owner or the issuer, and releases the step of the current user', async () => {
    const tested = bench([equal('true', 'a', 'owner'), equal('true', 'b', 'issuer'), equal('true', 'c')], {
      executionFlow: 'allTrue',
    });
    await tested.as({ role: 'Worker', did: 'did:bench:w' }).event('RunEvent', document({}));
    const names = tested.emitted.map(({ output, did }) => `${output} ${did}`);
    expect(names).toEqual([
      'a did:bench:a',
      'RefreshEvent did:bench:a',
      'b did:bench:issuer',
      'RefreshEvent did:bench:issuer',
      'c did:bench:w',
      'RefreshEvent did:bench:w',
      'ReleaseEvent did:bench:w',
    ]);
  });

  it('does not run the next block by itself', async () => {
    expect(await outputs([equal('true', 'a')], document({}))).not.toContain('RunEvent');
  });

  it('tells its author of conditions that can never be met', async () => {
    const conditions = [equal('x ==', 'a'), equal('true', 'a'), equal('random(3)', ''), { tag: 'b' }];
    const paths = (await bench(conditions, { executionFlow: '' }).findings()).map(({ path }) =>
      path.replace(/^.*block\//, ''),
    );
    expect(paths.map((path) => path.replace(/^.*\/(?=executionFlow|conditions)/, ''))).toEqual(
      expect.arrayContaining([
        'executionFlow',
        'conditions/0/value',
        'conditions/1/tag',
        'conditions/2/tag',
        'conditions/2/value',
        'conditions/3/type',
      ]),
    );
  });
});
