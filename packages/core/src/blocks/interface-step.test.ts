import { defineBlock, interfaceStepBlock, standardOutputs } from '@blockwork/core/block';
import { blockBench, type BlockBench, type BlockFragment } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

/** Emits the outputs that it is sent; shows nothing worth reading. */
const signalsType = defineBlock({
  type: 'signals',
  title: 'Signals',
  description: 'Emits the outputs that it is sent.',
  kind: 'interface',
  input: z.array(z.enum(standardOutputs)),
  read: () => true,
  receive(ctx, names) {
    for (const name of names) ctx.emit(name);
  },
});

/** Run by events: passes the run on. */
const relay = defineBlock({
  type: 'relay',
  title: 'Relay',
  description: 'Passes the run on.',
  kind: 'server',
  on: {
    RunEvent(ctx) {
      ctx.emit('RunEvent');
    },
  },
});

const signals = (tag: string, more: Partial<BlockFragment> = {}): BlockFragment => ({
  blockType: 'signals',
  tag,
  ...more,
});

const stepOf = (children: readonly BlockFragment[], options = {}): BlockBench =>
  blockBench(interfaceStepBlock, { options, children, blocks: [signalsType, relay] });
const three = (options = {}): BlockBench => stepOf([signals('a'), signals('b'), signals('c')], options);

type Answer = Record<string, unknown> & { index: number; blocks: ({ blockType: string } | null)[] };
type User = Parameters<BlockBench['as']>[0];
const answerOf = async (bench: BlockBench, user: User = 'Installer', tag = 'block') =>
  (await bench.as(user).at(tag).read()) as Answer;
const indexOf = async (bench: BlockBench, user: User = 'Installer', tag = 'block') =>
  (await answerOf(bench, user, tag)).index;

describe('interfaceStepBlock', () => {
  it('answers with the keys of the reference, and begins at its first child', async () => {
    const bench = stepOf([signals('a', { uiMetaData: { title: 'A' } }), signals('b')], {
      uiMetaData: { type: 'blank' },
    });
    expect(await answerOf(bench)).toEqual({
      id: expect.any(String),
      blockType: 'interfaceStepBlock',
      actionType: 'local',
      readonly: false,
      uiMetaData: { type: 'blank' },
      index: 0,
      blocks: [{ id: expect.any(String), uiMetaData: { title: 'A' }, content: 'signals', blockType: 'signals' }, null],
    });
  });

  it('opens the current child only', async () => {
    const bench = three();
    const user = bench.as('Installer');
    expect(await user.at('a').read()).toBe(true);
    await expect(user.at('b').read()).rejects.toMatchObject({ code: 'BLOCK_NOT_ACTIVE', status: 409 });
    await expect(user.at('b').send(['RunEvent'])).rejects.toMatchObject({ code: 'BLOCK_NOT_ACTIVE' });
    expect(await indexOf(bench)).toBe(0);
  });

  it('goes on to the child that runs, and closes the one before', async () => {
    const bench = three();
    await bench.as('Installer').at('a').send(['RunEvent']);
    expect(await answerOf(bench)).toMatchObject({ index: 1, blocks: [null, { blockType: 'signals' }, null] });
    await expect(bench.as('Installer').at('a').read()).rejects.toMatchObject({ code: 'BLOCK_NOT_ACTIVE' });
    expect(await bench.as('Installer').at('b').read()).toBe(true);
  });

  it('moves for the user who runs it only, and in the group that they act in', async () => {
    const bench = three();
    const mine = { role: 'Installer', group: '10000000-0000-4000-8000-000000000001' };
    const other = { role: 'Installer', group: '10000000-0000-4000-8000-000000000002' };
    const colleague = { ...mine, did: 'did:bench:colleague' };
    await bench.as(mine).at('a').send(['RunEvent']);
    expect(await indexOf(bench, mine)).toBe(1);
    expect(await indexOf(bench, other)).toBe(0);
    expect(await indexOf(bench, colleague)).toBe(0);
    expect(await indexOf(bench, 'OWNER')).toBe(0);
  });

  it('stays where the run ended: at the last child that ran', async () => {
    const bench = stepOf([signals('a'), { blockType: 'relay', tag: 'pass' }, signals('c')]);
    await bench.as('Installer').at('a').send(['RunEvent']);
    expect(await indexOf(bench)).toBe(2);
  });

  it('shows nothing while it is parked at a child that works unseen', async () => {
    const bench = stepOf([
      signals('a'),
      { blockType: 'relay', tag: 'work', defaultActive: false, stopPropagation: true },
      signals('c'),
    ]);
    await bench.as('Installer').at('a').send(['RunEvent']);
    expect(await answerOf(bench)).toMatchObject({ index: 1, blocks: [null, null, null] });
  });

  it('goes back when an earlier child is run', async () => {
    const back = { source: 'b', target: 'a', output: 'RunEvent', input: 'RunEvent', actor: '' };
    const bench = stepOf([signals('a'), signals('b', { stopPropagation: true, events: [back] })]);
    await bench.as('Installer').at('a').send(['RunEvent']);
    expect(await indexOf(bench)).toBe(1);
    await bench.as('Installer').at('b').send(['RunEvent']);
    expect(await indexOf(bench)).toBe(0);
  });

  it('emits RefreshEvent when it moves, and only then', async () => {
    const bench = three();
    await bench.as('Installer').event('RefreshEvent');
    await bench.as('Installer').at('a').send(['RefreshEvent']);
    await bench.as('Installer').at('a').event('RunEvent');
    expect(bench.emitted).toEqual([]);
    expect(await indexOf(bench)).toBe(0);
    await bench.as('Installer').at('a').send(['RunEvent']);
    expect(bench.emitted).toEqual([{ output: 'RefreshEvent', data: null, did: 'did:bench:installer' }]);
  });

  it('begins again when it is cyclic and its last child is released', async () => {
    const bench = three({ cyclic: true });
    await bench.as('Installer').at('a').send(['RunEvent', 'ReleaseEvent']);
    expect(await indexOf(bench)).toBe(1);
    await bench.as('Installer').at('b').send(['RunEvent', 'ReleaseEvent']);
    expect(await indexOf(bench)).toBe(2);
    await bench.as('Installer').at('c').send(['RunEvent', 'ReleaseEvent']);
    expect(await indexOf(bench)).toBe(0);
  });

  it('begins again when it is cyclic and one of its final blocks is released', async () => {
    const bench = three({ cyclic: true, finalBlocks: ['b'] });
    await bench.as('Installer').at('a').send(['RunEvent', 'ReleaseEvent']);
    expect(await indexOf(bench)).toBe(1);
    await bench.as('Installer').at('b').send(['ReleaseEvent']);
    expect(await indexOf(bench)).toBe(0);
  });

  it.each([
    ['cyclic is false', { cyclic: false, finalBlocks: ['b', 'c'] }],
    ['cyclic is not given', { finalBlocks: ['b', 'c'] }],
  ])('stays at its end when %s', async (_, options) => {
    const bench = three(options);
    await bench.as('Installer').at('a').send(['RunEvent']);
    await bench.as('Installer').at('b').send(['RunEvent', 'ReleaseEvent']);
    await bench.as('Installer').at('c').send(['RunEvent', 'ReleaseEvent']);
    expect(await indexOf(bench)).toBe(2);
  });

  it('is not ended by a ReleaseEvent of a block that it does not hold', async () => {
    const end = { source: 'outside', target: 'block', output: 'ReleaseEvent', input: 'ReleaseEvent', actor: '' };
    const bench = blockBench(interfaceStepBlock, {
      options: { cyclic: true, finalBlocks: ['outside'] },
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'around',
        children: [signals('outside', { events: [end], stopPropagation: true })],
      },
      children: [signals('a'), signals('b')],
      blocks: [signalsType],
    });
    await bench.as('Installer').at('a').send(['RunEvent']);
    await bench.as('Installer').at('outside').send(['ReleaseEvent']);
    expect(await indexOf(bench)).toBe(1);
  });

  describe('under another step', () => {
    const nested = (): BlockBench =>
      stepOf([
        signals('start'),
        {
          blockType: 'interfaceStepBlock',
          tag: 'inner',
          cyclic: true,
          children: [signals('one'), signals('two', { stopPropagation: true })],
        },
        signals('end'),
      ]);

    it('is closed with all its children until the outer step comes to it', async () => {
      const bench = nested();
      for (const tag of ['inner', 'one', 'two']) {
        await expect(bench.as('Installer').at(tag).read()).rejects.toMatchObject({ code: 'BLOCK_NOT_ACTIVE' });
      }
      await bench.as('Installer').at('start').send(['RunEvent']);
      expect(await indexOf(bench)).toBe(1);
      expect(await bench.as('Installer').at('one').read()).toBe(true);
      await expect(bench.as('Installer').at('two').read()).rejects.toMatchObject({ code: 'BLOCK_NOT_ACTIVE' });
    });

    it('moves on by itself, and its end does not move the outer one', async () => {
      const bench = nested();
      await bench.as('Installer').at('start').send(['RunEvent']);
      await bench.as('Installer').at('one').send(['RunEvent']);
      expect([await indexOf(bench), await indexOf(bench, 'Installer', 'inner')]).toEqual([1, 1]);
      await bench.as('Installer').at('two').send(['ReleaseEvent']);
      expect([await indexOf(bench), await indexOf(bench, 'Installer', 'inner')]).toEqual([1, 0]);
    });
  });
});
