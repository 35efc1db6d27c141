import { BlockworkError, createEngine, type Json } from '@blockwork/core';
import { type Block, type BlockEvent, type ReadContext, RUN, type RunContext } from '@blockwork/core/block';
import { blockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const about = (type: string) =>
  ({ type, title: type, description: '', kind: 'server', children: 'none', outputs: ['Done', 'Other'] }) as const;

/** Takes data, and emits it on the outputs that its options name. */
class Sender implements Block<{ emits: string[] }> {
  readonly about = about('sender');
  readonly options = z.object({ emits: z.array(z.string()).default(['Done']) });
  receive(ctx: RunContext<{ emits: string[] }>, input: unknown): Promise<Json> {
    for (const output of ctx.options.emits) ctx.emit(output, input as Json);
    return Promise.resolve({ took: input as Json });
  }
}

/** Stores what arrives as its state, changes the copy it was given, and passes it on. */
class Keeper implements Block {
  readonly about = about('keeper');
  readonly options = z.object({});
  readonly on = {
    RunEvent: async (ctx: RunContext, event: BlockEvent): Promise<void> => {
      log.push(ctx.block.tag);
      await ctx.state.set(event.data);
      (event.data as { changedBy?: string }).changedBy = ctx.block.tag;
      ctx.emit('Done', event.data);
    },
  };
  async read(ctx: ReadContext): Promise<Json> {
    return (await ctx.state.get(z.json())) ?? null;
  }
}

/** Fails whenever it runs, after having written something. */
class Failing implements Block {
  readonly about = about('failing');
  readonly options = z.object({});
  readonly on = {
    RunEvent: async (ctx: RunContext): Promise<void> => {
      await ctx.state.set('half done');
      await ctx.documents.add({ owner: ctx.user.did, document: { type: ['VerifiableCredential'] } });
      ctx.fail('INPUT_INVALID', { facts: { reason: 'it always fails' } });
    },
  };
  async read(ctx: ReadContext): Promise<Json> {
    return (await ctx.state.get(z.json())) ?? null;
  }
}

let log: string[] = [];
const blocks = [Keeper, Failing];
const link = (source: string, output: string, target: string): object => ({
  source,
  output,
  target,
  input: RUN,
  actor: '',
});
const keeper = (
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
    const bench = blockBench(Sender, {
      blocks,
      parent: { blockType: 'interfaceContainerBlock', tag: 'box', children: [keeper('a', link('block', 'Done', 'a'))] },
    });
    expect(await bench.as('Installer').send({ n: 1 })).toEqual({ took: { n: 1 } });
    expect(await bench.as('Installer').at('a').read()).toEqual({ n: 1 });
  });

  it('follows links first in first out, not into the depth', async () => {
    log = [];
    const bench = blockBench(Sender, {
      blocks,
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'box',
        children: [
          keeper('a', link('block', 'Done', 'a'), link('a', 'Done', 'a-after')),
          keeper('a-after'),
          keeper('b', link('block', 'Done', 'b'), link('b', 'Done', 'b-after')),
          keeper('b-after'),
        ],
      },
    });
    await bench.as('Installer').send({ n: 1 });
    expect(log).toEqual(['a', 'b', 'a-after', 'b-after']);
  });

  it('gives each receiver its own copy of the data', async () => {
    const bench = blockBench(Sender, {
      blocks,
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'box',
        children: [keeper('a', link('block', 'Done', 'a')), keeper('b', link('block', 'Done', 'b'))],
      },
    });
    await bench.as('Installer').send({ n: 1 });
    expect(await bench.as('Installer').at('b').read()).toEqual({ n: 1 });
  });

  it('leaves nothing behind when a block on its way fails, and tells the sender which', async () => {
    const bench = blockBench(Sender, {
      blocks,
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'box',
        children: [
          keeper('a', link('block', 'Done', 'a')),
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
    const engine = createEngine({ blocks: [Sender, Keeper], limits: { hops: 50 } });
    const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
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

  it('in which an unknown block type would run is refused as a whole', async () => {
    const bench = blockBench(Sender, {
      blocks,
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'box',
        children: [
          keeper('a', link('block', 'Done', 'a')),
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
    class Counter implements Block {
      readonly about = about('counter');
      readonly options = z.object({});
      async receive(ctx: RunContext): Promise<Json> {
        const count = ((await ctx.state.get(z.number())) ?? 0) + 1;
        await new Promise((resolve) => setImmediate(resolve));
        await ctx.state.set(count);
        return count;
      }
    }
    const bench = blockBench(Counter);
    const answers = await Promise.all(Array.from({ length: 50 }, () => bench.as('Installer').send({})));
    expect(answers.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
  });

  it("runs a link of the document owner in that owner's name and role", async () => {
    class WhoAmI implements Block {
      readonly about = about('whoAmI');
      readonly options = z.object({});
      readonly on = {
        RunEvent: (ctx: RunContext): Promise<void> => {
          ctx.emit('Done', { did: ctx.user.did, role: ctx.user.role });
          return Promise.resolve();
        },
      };
    }
    const owned = blockBench(Sender, {
      blocks: [WhoAmI, Keeper],
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
          keeper('note'),
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
  it('refuses a block type without a name or an options schema, naming the option', () => {
    const nameless = { about: { ...about(''), type: '' }, options: z.object({}) };
    expect(() => createEngine({ blocks: [nameless] })).toThrow(BlockworkError);
    expect(() => createEngine({ blocks: [nameless] })).toThrow('option blocks');
  });

  it('refuses limits that are unknown or no whole number from 1, naming them', () => {
    expect(() => createEngine({ limits: { hops: 0 } })).toThrow('limits.hops');
    expect(() => createEngine({ limits: { hop: 3 } as object })).toThrow('limits.hop');
  });
});
