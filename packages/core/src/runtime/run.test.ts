import { BlockworkError } from '../errors.js';
import { createEngine } from '../engine/create-engine.js';
import { defineBlock, RUN } from '@blockwork/core/block';
import { blockBench, SimulatedClock } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const named = <Type extends string>(type: Type) => ({ type, title: type, description: '', kind: 'server' }) as const;
const json = z.json();

/** Takes data, and emits it on the outputs that its options name. */
const sender = defineBlock({
  ...named('sender'),
  options: z.object({ emits: z.array(z.enum(['Done', 'Other'])).default(['Done']) }),
  input: json,
  outputs: ['Done', 'Other'],
  receive(ctx, input) {
    for (const output of ctx.options.emits) ctx.emit(output, input);
    return { took: input };
  },
});

/** Stores what arrives as its state, changes the copy it was given, and passes it on. */
const keeperType = defineBlock({
  ...named('keeper'),
  outputs: ['Done'],
  on: {
    async RunEvent(ctx, event) {
      log.push(ctx.block.tag);
      await ctx.state.set(event.data);
      (event.data as { changedBy?: string }).changedBy = ctx.block.tag;
      ctx.emit('Done', event.data);
    },
  },
  read: async (ctx) => (await ctx.state.get(json)) ?? null,
});

/** Fails whenever it runs, after having written something. */
const failing = defineBlock({
  ...named('failing'),
  on: {
    async RunEvent(ctx) {
      await ctx.state.set('half done');
      await ctx.documents.add({ owner: ctx.user.did, document: { type: ['VerifiableCredential'] } });
      ctx.fail('INPUT_INVALID', { facts: { reason: 'it always fails' } });
    },
  },
  read: async (ctx) => (await ctx.state.get(json)) ?? null,
});

const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
let log: string[] = [];
const blocks = [keeperType, failing];
const link = (source: string, output: string, target: string): object => ({
  source,
  output,
  target,
  input: RUN,
  actor: '',
});
const statefulBlock = (
  tag: string,
  ...events: object[]
): { blockType: string; tag: string; events: object[]; stopPropagation: true } => ({
  blockType: 'keeper',
  tag,
  events,
  stopPropagation: true,
});

describe('a run', () => {
  it('answers after everything that follows from the data is stored', async () => {
    const bench = blockBench(sender, {
      blocks,
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'box',
        children: [statefulBlock('a', link('block', 'Done', 'a'))],
      },
    });
    expect(await bench.as('Installer').send({ n: 1 })).toEqual({ took: { n: 1 } });
    expect(await bench.as('Installer').at('a').read()).toEqual({ n: 1 });
  });

  it('follows links first in first out, not into the depth', async () => {
    log = [];
    const bench = blockBench(sender, {
      blocks,
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'box',
        children: [
          statefulBlock('a', link('block', 'Done', 'a'), link('a', 'Done', 'a-after')),
          statefulBlock('a-after'),
          statefulBlock('b', link('block', 'Done', 'b'), link('b', 'Done', 'b-after')),
          statefulBlock('b-after'),
        ],
      },
    });
    await bench.as('Installer').send({ n: 1 });
    expect(log).toEqual(['a', 'b', 'a-after', 'b-after']);
  });

  it('gives each receiver its own copy of the data', async () => {
    const bench = blockBench(sender, {
      blocks,
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'box',
        children: [statefulBlock('a', link('block', 'Done', 'a')), statefulBlock('b', link('block', 'Done', 'b'))],
      },
    });
    await bench.as('Installer').send({ n: 1 });
    expect(await bench.as('Installer').at('b').read()).toEqual({ n: 1 });
  });

  it('leaves nothing behind when a block on its way fails, and tells the sender which', async () => {
    const bench = blockBench(sender, {
      blocks,
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'box',
        children: [
          statefulBlock('a', link('block', 'Done', 'a')),
          { blockType: 'failing', tag: 'broken', events: [link('block', 'Done', 'broken')], stopPropagation: true },
        ],
      },
    });
    await expect(bench.as('Installer').send({ n: 1 })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      facts: { tag: 'broken' },
    });
    expect(await bench.as('Installer').at('a').read()).toBeNull();
    expect(await bench.as('Installer').at('broken').read()).toBeNull();
    expect(await bench.documents()).toEqual([]);
  });

  it('that circles is ended by the limit, with an error that names the circle', async () => {
    const engine = createEngine({ blocks: [sender, keeperType], limits: { hops: 50 } });
    const block = { permissions: ['ANY_ROLE'], defaultActive: true, stopPropagation: true, children: [] };
    const { policy } = await engine.importPolicy(owner, {
      name: 'Circle',
      config: {
        ...block,
        blockType: 'interfaceContainerBlock',
        tag: 'root',
        children: [
          { ...block, blockType: 'sender', tag: 'start', events: [link('start', 'Done', 'left')] },
          { ...block, blockType: 'keeper', tag: 'left', events: [link('left', 'Done', 'right')] },
          { ...block, blockType: 'keeper', tag: 'right', events: [link('right', 'Done', 'left')] },
        ],
      },
    });
    const sent = engine.sendToBlock(owner, policy.id, { tag: 'start' }, { n: 1 });
    await expect(sent).rejects.toMatchObject({ code: 'RUN_TOO_LONG' });
    await expect(sent).rejects.toThrow(/limit of 50 events.*(left -> right -> left|right -> left -> right)/);
    expect(await engine.readBlock(owner, policy.id, { tag: 'left' })).toBeNull();
    await engine.close();
  });

  it('may have as many events as its limit says, and no more', async () => {
    const block = { permissions: ['ANY_ROLE'], defaultActive: true, stopPropagation: true, children: [] };
    const children = [
      { ...block, blockType: 'sender', tag: 'start', events: [link('start', 'Done', 'first')] },
      { ...block, blockType: 'keeper', tag: 'first', events: [link('first', 'Done', 'second')] },
      { ...block, blockType: 'keeper', tag: 'second' },
    ];
    const config = { ...block, blockType: 'interfaceContainerBlock', tag: 'root', children };
    const send = async (hops: number) => {
      const engine = createEngine({ blocks: [sender, keeperType], limits: { hops } });
      const { policy } = await engine.importPolicy(owner, { name: 'Line', config });
      return engine.sendToBlock(owner, policy.id, { tag: 'start' }, { n: 1 }).finally(() => engine.close());
    };
    expect(await send(2)).toEqual({ took: { n: 1 } });
    await expect(send(1)).rejects.toThrow('limit of 1 events');
  });

  it.each([
    ['longer than its limit is ended, and leaves nothing behind', 1001, { code: 'RUN_TOO_LONG' }],
    ['exactly as long as its limit is not', 1000, null],
  ])('that takes %s', async (_, takes, failure) => {
    const clock = new SimulatedClock();
    const slow = defineBlock({
      ...named('slow'),
      outputs: ['Done'],
      on: {
        RunEvent(ctx, { data }) {
          clock.advance(takes);
          ctx.emit('Done', data);
        },
      },
    });
    const engine = createEngine({ clock, blocks: [sender, slow, keeperType], limits: { runMs: 1000 } });
    const block = { permissions: ['ANY_ROLE'], defaultActive: true, stopPropagation: true, children: [] };
    const children = [
      { ...block, blockType: 'sender', tag: 'start', events: [link('start', 'Done', 'slow')] },
      { ...block, blockType: 'slow', tag: 'slow', events: [link('slow', 'Done', 'last')] },
      { ...block, blockType: 'keeper', tag: 'last' },
    ];
    const config = { ...block, blockType: 'interfaceContainerBlock', tag: 'root', children };
    const { policy } = await engine.importPolicy(owner, { name: 'Slow', config });
    const sent = engine.sendToBlock(owner, policy.id, { tag: 'start' }, { n: 1 });
    if (failure === null) await sent;
    else {
      await expect(sent).rejects.toMatchObject(failure);
      await expect(sent).rejects.toThrow('limit of 1000 ms');
    }
    const change = failure === null ? { n: 1 } : null;
    expect(await engine.readBlock(owner, policy.id, { tag: 'last' })).toEqual(change);
    await engine.close();
  });

  it.each(['receives', 'handles'])(
    'in which a block never ends what it %s is ended, and the policy goes on',
    async (what) => {
      const never = new Promise<null>(() => undefined);
      const stuck = defineBlock({
        ...named('stuck'),
        input: json,
        outputs: ['Done'],
        receive: (ctx, input) => {
          if (input === 'go') return 'went';
          if (what === 'receives') return never;
          ctx.emit('Done', input);
          return null;
        },
        on: { RunEvent: () => never.then(() => undefined) },
      });
      const fired: (() => void)[] = [];
      const armed = new Map<number, () => void>();
      const timers = {
        after: (ms: number, run: () => void) => {
          const at = fired.push(run) - 1;
          if (ms === 1001) armed.set(at, run);
          return () => void armed.delete(at);
        },
      };
      const engine = createEngine({
        clock: new SimulatedClock(),
        timers,
        blocks: [stuck],
        limits: { runMs: 1000 },
      });
      const block = { permissions: ['ANY_ROLE'], defaultActive: true, stopPropagation: true, children: [] };
      const children = [
        { ...block, blockType: 'stuck', tag: 'first', events: [link('first', 'Done', 'second')] },
        { ...block, blockType: 'stuck', tag: 'second' },
      ];
      const config = { ...block, blockType: 'interfaceContainerBlock', tag: 'root', children };
      const { policy } = await engine.importPolicy(owner, { name: 'Stuck', config });
      const sent = engine.sendToBlock(owner, policy.id, { tag: 'first' }, 'stay');
      const refused = expect(sent).rejects.toMatchObject({
        code: 'RUN_TOO_LONG',
        facts: { tag: 'first', limit: '1000 ms', way: what === 'receives' ? 'first' : 'second' },
      });
      const behind = engine.sendToBlock(owner, policy.id, { tag: 'first' }, 'go');
      await expect.poll(() => armed.size).toBe(1);
      for (const run of armed.values()) run();
      await refused;
      expect(await behind).toBe('went');
      expect(armed.size).toBe(0);
      await engine.close();
    },
  );

  it('in which an unknown block type would run is refused as a whole', async () => {
    const bench = blockBench(sender, {
      blocks,
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'box',
        children: [
          statefulBlock('a', link('block', 'Done', 'a')),
          { blockType: 'ofLater', tag: 'later', events: [link('block', 'Done', 'later')] },
        ],
      },
    });
    await expect(bench.as('Installer').send({ n: 1 })).rejects.toMatchObject({
      code: 'BLOCK_TYPE_UNKNOWN',
      facts: { tag: 'later' },
    });
    expect(await bench.as('Installer').at('a').read()).toBeNull();
  });

  it('takes sends of one policy one at a time, so that none is lost', async () => {
    const counter = defineBlock({
      ...named('counter'),
      async receive(ctx) {
        const count = ((await ctx.state.get(z.number())) ?? 0) + 1;
        await new Promise((resolve) => setImmediate(resolve));
        await ctx.state.set(count);
        return count;
      },
    });
    const bench = blockBench(counter);
    const answers = await Promise.all(Array.from({ length: 50 }, () => bench.as('Installer').send({})));
    expect(answers.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
  });

  it("runs a link of the document owner in that owner's name and role", async () => {
    const whoAmI = defineBlock({
      ...named('whoAmI'),
      outputs: ['Done'],
      on: {
        RunEvent(ctx) {
          ctx.emit('Done', { did: ctx.user.did, role: ctx.user.role });
        },
      },
    });
    const owned = blockBench(sender, {
      blocks: [whoAmI, keeperType],
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'box',
        children: [
          {
            blockType: 'whoAmI',
            tag: 'who',
            stopPropagation: true,
            events: [
              { source: 'block', output: 'Done', target: 'who', input: RUN, actor: 'owner' },
              link('who', 'Done', 'note'),
            ],
          },
          statefulBlock('note'),
        ],
      },
    });
    await owned.as({ role: 'Developer', did: 'did:bench:dev' }).send({});
    await owned.as('Verifier').send({ owner: 'did:bench:dev' });
    expect(await owned.as({ role: 'Developer', did: 'did:bench:dev' }).at('note').read()).toEqual({
      did: 'did:bench:dev',
      role: 'Developer',
    });
  });
});

describe('createEngine', () => {
  it('refuses a block type without a name, naming the option', () => {
    const nameless = named('');
    expect(() => createEngine({ blocks: [nameless] })).toThrow(BlockworkError);
    expect(() => createEngine({ blocks: [nameless] })).toThrow('in blocks');
  });

  it('refuses limits that are unknown or no whole number from 1, naming them', () => {
    expect(() => createEngine({ limits: { hops: 0 } })).toThrow('limits.hops');
    expect(() => createEngine({ limits: { hop: 3 } as object })).toThrow('limits.hop');
  });
});
