import { BlockworkError } from '../errors.js';
import { type BlockType, defineBlock, ERROR, RUN } from '@blockwork/core/block';
import { block, blockBench, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const named = (type: string) => ({ type, title: type, description: '', kind: 'server' }) as const;
const anything = z.json();

/** Takes data, and passes it on; of a list each element. */
const sender = defineBlock({
  ...named('sender'),
  kind: 'interface',
  input: anything,
  outputs: ['Done'],
  receive(ctx, input) {
    for (const each of Array.isArray(input) ? input : [input]) ctx.emit('Done', each);
  },
});

interface Fragile {
  fails: boolean;
  /** Changes the data it was given before it fails. */
  spoils?: boolean;
  /** Thrown instead of the usual failure. */
  failure?: Error;
}

/** Fails as long as `fails` says so, after having written, warned and emitted. */
const fragileType = (how: Fragile): BlockType =>
  defineBlock({
    ...named('fragile'),
    outputs: ['Done'],
    on: {
      async [RUN](ctx, { data }) {
        await ctx.state.set(data);
        await ctx.entries.put({ id: 'half', key: '', value: data });
        await ctx.documents.add({ owner: ctx.user.did, document: { type: ['VerifiableCredential'] } });
        ctx.emit('Done', data);
        if (how.spoils === true) Object.assign(data as object, { n: 'spoiled' });
        if (how.fails && how.failure) throw how.failure;
        if (how.fails) ctx.fail('INPUT_INVALID', { facts: { reason: 'it is fragile' } });
      },
    },
    async read(ctx) {
      return { state: (await ctx.state.get(anything)) ?? null, entries: (await ctx.entries.find()).length };
    },
  });

/** Remembers what it was run with. */
const statefulBlock = defineBlock({
  ...named('keeper'),
  on: { [RUN]: (ctx, { data }) => ctx.state.set(data) },
  read: async (ctx) => (await ctx.state.get(anything)) ?? null,
});

const link = (source: string, output: string, target: string): object => ({
  source,
  output,
  target,
  input: RUN,
  actor: '',
});

/** A step with a fragile block, written with the given members, and a page after it; beside it blocks to go on to. */
function bench(events: object[], members: object = {}): { bench: BlockBench; fragile: Fragile } {
  const fragile: Fragile = { fails: true };
  const child = (blockType: string, tag: string, more: object = {}): object => ({
    ...block(blockType, tag),
    stopPropagation: true,
    ...more,
  });
  return {
    fragile,
    bench: blockBench(sender, {
      blocks: [fragileType(fragile), statefulBlock],
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'box',
        children: [
          {
            ...block('interfaceStepBlock', 'steps'),
            children: [
              child('interfaceContainerBlock', 'begin'),
              child('fragile', 'fragile', {
                ...members,
                events: [link('block', 'Done', 'fragile'), ...events],
              }),
              child('interfaceContainerBlock', 'page'),
            ],
          },
          child('keeper', 'after'),
          child('keeper', 'mended'),
        ],
      } as never,
    }),
  };
}

const stepOf = async (of: BlockBench): Promise<unknown> =>
  ((await of.as('Installer').at('steps').read()) as { index: number }).index;
const journalOf = async (of: BlockBench) => {
  const { engine, policyId, owner } = await of.open();
  return (await engine.journal.list(owner, policyId, { limit: 1000 })).items;
};

describe('a block that fails in the middle of a run', () => {
  it('ends the run and leaves nothing behind, where its policy provides for nothing', async () => {
    const { bench: of } = bench([link('fragile', 'Done', 'after')]);
    await expect(of.as('Installer').send({ n: 1 })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      facts: { tag: 'fragile' },
    });
    expect(await of.documents()).toEqual([]);
    expect(await journalOf(of)).toEqual([]);
  });

  it('is left with goto-tag: its own changes are taken back, and the step goes where the policy says', async () => {
    const { bench: of } = bench([], { onErrorAction: 'goto-tag', errorFallbackTag: 'page' });
    await of.as('Installer').send({ n: 1 });
    expect(await stepOf(of)).toBe(2);
    expect(await of.documents()).toEqual([]);
    const [entry] = await journalOf(of);
    expect(entry).toMatchObject({
      cause: { type: 'send', tag: 'block' },
      documents: { added: [], changed: [], removed: [] },
      warnings: [{ tag: 'fragile', code: 'INPUT_INVALID', action: 'goto-tag' }],
    });
  });

  it('is left with goto-step in the same way', async () => {
    const { bench: of } = bench([], { onErrorAction: 'goto-step', errorFallbackStep: '2' });
    await of.as('Installer').send({ n: 1 });
    expect(await stepOf(of)).toBe(2);
  });

  it('gives an ErrorEvent, with what it was given, to the blocks that are linked to it', async () => {
    const { bench: of } = bench([link('fragile', 'Done', 'after'), link('fragile', ERROR, 'mended')]);
    await of.as('Installer').send({ n: 1 });
    expect(await of.as('Installer').at('mended').read()).toEqual({ n: 1 });
    expect(await of.as('Installer').at('after').read()).toBeNull();
    expect(await of.documents()).toEqual([]);
  });

  it('leaves nothing of what it wrote and emitted before it failed', async () => {
    const { bench: of } = bench([link('fragile', 'Done', 'after')], {
      onErrorAction: 'goto-tag',
      errorFallbackTag: 'fragile',
    });
    await of.as('Installer').send({ n: 1 });
    expect(await stepOf(of)).toBe(1);
    expect(await of.as('Installer').at('after').read()).toBeNull();
    expect(await of.as('Installer').at('fragile').read()).toEqual({ state: null, entries: 0 });
  });

  it.each([
    ['a tag that no block has', { onErrorAction: 'goto-tag', errorFallbackTag: 'nowhere' }],
    ['the tag of a block elsewhere', { onErrorAction: 'goto-tag', errorFallbackTag: 'after' }],
    ['a step that there is not', { onErrorAction: 'goto-step', errorFallbackStep: '9' }],
  ])('ends the run where its policy sends it to %s', async (_, members) => {
    const { bench: of } = bench([link('fragile', 'Done', 'after')], members);
    await expect(of.as('Installer').send({ n: 1 })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      facts: { tag: 'fragile' },
    });
    expect(await of.documents()).toEqual([]);
    expect(await journalOf(of)).toEqual([]);
    expect(await stepOf(of)).toBe(0);
  });

  it('ends the run where it stands in a container, which has no steps to go to', async () => {
    const fragile = { ...block('fragile', 'fragile'), onErrorAction: 'goto-tag', errorFallbackTag: 'page' };
    const of = blockBench(sender, {
      blocks: [fragileType({ fails: true })],
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'box',
        events: [link('block', 'Done', 'fragile')],
        children: [fragile, block('interfaceContainerBlock', 'page')],
      },
    });
    await expect(of.as('Installer').send({ n: 1 })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await journalOf(of)).toEqual([]);
  });

  it('is handled by its ErrorEvent also where there is no such step', async () => {
    const { bench: of } = bench([link('fragile', ERROR, 'mended')], {
      onErrorAction: 'goto-tag',
      errorFallbackTag: 'nowhere',
    });
    await of.as('Installer').send({ n: 1 });
    expect(await of.as('Installer').at('mended').read()).toEqual({ n: 1 });
  });

  it.each([
    ['the store', new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'a test says so' } })],
    ['a limit', new BlockworkError('RUN_TOO_LONG', { facts: { policyId: '', tag: '', limit: '', way: '' } })],
    ['another process', new BlockworkError('CONFLICT', { facts: { key: '', expected: 0, actual: 1 } })],
  ])('is not at fault when %s fails: the run fails, whatever its policy provides for', async (_, failure) => {
    for (const members of [{ onErrorAction: 'retry' }, { onErrorAction: 'goto-tag', errorFallbackTag: 'page' }]) {
      const { bench: of, fragile } = bench([link('fragile', ERROR, 'mended')], members);
      fragile.failure = failure;
      await expect(of.as('Installer').send({ n: 1 })).rejects.toMatchObject({ code: failure.code });
      expect(await of.as('Installer').at('mended').read()).toBeNull();
      expect(await journalOf(of)).toEqual([]);
      const { engine } = await of.open();
      expect(await engine.program.schedule.getNextDue()).toBeNull();
    }
  });

  it('is tried again for each event that it failed at, with what that event brought', async () => {
    const { bench: of, fragile } = bench([link('fragile', 'Done', 'after')], {
      onErrorAction: 'retry',
      errorTimeout: '5000',
    });
    await of.as('Installer').send({ n: 1 });
    await of.as({ role: 'Installer', did: 'did:bench:second' }).send({ n: 2 });
    fragile.fails = false;
    of.clock.advance('5s');
    const { engine } = await of.open();
    await engine.program.schedule.runDue();
    expect(await of.documents()).toHaveLength(2);
    expect(await of.as('Installer').at('after').read()).toEqual({ n: 1 });
    expect(await of.as({ role: 'Installer', did: 'did:bench:second' }).at('after').read()).toEqual({ n: 2 });
  });

  it('is tried again for each of two events of one run', async () => {
    const { bench: of, fragile } = bench([], { onErrorAction: 'retry', errorTimeout: '5000' });
    await of.as('Installer').send([{ n: 1 }, { n: 2 }]);
    fragile.fails = false;
    of.clock.advance('5s');
    await (await of.open()).engine.program.schedule.runDue();
    expect(await of.documents()).toHaveLength(2);
  });

  it('is not tried again before the time that the engine allows, whatever its policy says', async () => {
    const { bench: of } = bench([], { onErrorAction: 'retry', errorTimeout: '1' });
    await of.as('Installer').send({ n: 1 });
    const { engine } = await of.open();
    expect(await engine.program.schedule.getNextDue()).toBe(of.clock.now() + 1000);
  });

  it('is tried again with what it was given, though it changed its copy before it failed', async () => {
    const { bench: of, fragile } = bench([link('fragile', 'Done', 'after'), link('fragile', ERROR, 'mended')], {
      onErrorAction: 'retry',
      errorTimeout: '1',
    });
    fragile.spoils = true;
    await of.as('Installer').send({ n: 1 });
    expect(await of.as('Installer').at('mended').read()).toEqual({ n: 1 });
    Object.assign(fragile, { fails: false, spoils: false });
    of.clock.advance('1s');
    await (await of.open()).engine.program.schedule.runDue();
    expect(await of.as('Installer').at('after').read()).toEqual({ n: 1 });
  });

  it('is tried again later where the policy asks for it, until it works, and the run goes on from there', async () => {
    const { bench: of, fragile } = bench([link('fragile', 'Done', 'after')], {
      onErrorAction: 'retry',
      errorTimeout: '5000',
    });
    await of.as('Installer').send({ n: 1 });
    const { engine } = await of.open();
    expect(await stepOf(of)).toBe(0);
    of.clock.advance('4s');
    await engine.program.schedule.runDue();
    fragile.fails = false;
    expect(await of.documents()).toHaveLength(0);
    of.clock.advance('1s');
    await engine.program.schedule.runDue();
    expect(await of.documents()).toHaveLength(1);
    expect(await of.as('Installer').at('after').read()).toEqual({ n: 1 });
    expect(await engine.program.schedule.getNextDue()).toBeNull();
    expect((await journalOf(of)).map(({ cause }) => cause.type)).toEqual(['send', 'retry']);
  });

  it('is given up after its last attempt, and the journal says so', async () => {
    const { bench: of } = bench([], { onErrorAction: 'retry', errorTimeout: '1' });
    await of.as('Installer').send({ n: 1 });
    const { engine } = await of.open();
    for (let attempt = 0; attempt < 200 && (await engine.program.schedule.getNextDue()) !== null; attempt += 1) {
      of.clock.advance('1h');
      await engine.program.schedule.runDue();
    }
    expect(await engine.program.schedule.getNextDue()).toBeNull();
    const entries = await journalOf(of);
    expect(entries).toHaveLength(101);
    expect(entries.at(-1)?.warnings.map(({ code }) => code)).toContain('GIVEN_UP');
  });
});
