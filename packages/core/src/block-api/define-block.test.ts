import { createEngine } from '../engine/create-engine.js';
import {
  defineBlock,
  MEMBER_REMOVED,
  RUN,
  TICK,
  type BlockType,
  type Json,
  type ReadContext,
  type RunContext,
  type StandardOutput,
} from '@blockwork/core/block';
import { blockBench } from '@blockwork/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';

const named = { type: 'ballotBlock', title: 'Ballot', description: 'Takes votes.', kind: 'interface' } as const;

/** What plain JavaScript hands in: the compiler does not see it. */
const unchecked = (spec: object): BlockType => spec as BlockType;

describe('defineBlock infers', () => {
  it('options and input from their schemas, after their transforms', () => {
    defineBlock({
      ...named,
      options: z.object({ limit: z.string().transform(Number) }),
      input: z.object({ vote: z.enum(['yes', 'no']) }),
      check(node, options, policy) {
        expectTypeOf(node.tag).toEqualTypeOf<string>();
        expectTypeOf(options).toEqualTypeOf<{ limit: number }>();
        expectTypeOf(policy.blocks.length).toEqualTypeOf<number>();
        return [];
      },
      references(options) {
        expectTypeOf(options.limit).toEqualTypeOf<number>();
        return [];
      },
      read(ctx) {
        expectTypeOf(ctx).toEqualTypeOf<ReadContext<{ limit: number }>>();
        return { limit: ctx.options.limit };
      },
      async receive(ctx, input) {
        expectTypeOf(ctx.options.limit).toEqualTypeOf<number>();
        expectTypeOf(input).toEqualTypeOf<{ vote: 'yes' | 'no' }>();
        await ctx.state.set(input);
      },
      on: {
        RunEvent(ctx, event) {
          expectTypeOf(ctx.options).toEqualTypeOf<{ limit: number }>();
          expectTypeOf(event.data).toEqualTypeOf<Json>();
        },
      },
    });
  });

  it('that a block without an input schema gets its input unchecked', () => {
    defineBlock({
      ...named,
      receive(_ctx, input) {
        expectTypeOf(input).toBeUnknown();
      },
    });
  });

  it('outputs from their list, wherever it stands', () => {
    defineBlock({
      ...named,
      receive(ctx) {
        expectTypeOf(ctx.emit).parameter(0).toEqualTypeOf<StandardOutput | 'VotedEvent' | 'ClosedEvent'>();
      },
      outputs: ['VotedEvent', 'ClosedEvent'],
      on: {
        RunEvent(ctx) {
          expectTypeOf(ctx.emit).parameter(0).toEqualTypeOf<StandardOutput | 'VotedEvent' | 'ClosedEvent'>();
        },
      },
    });
  });

  it('outputs from a function of the options', () => {
    defineBlock({
      ...named,
      options: z.object({ tags: z.array(z.string()) }),
      outputs: ({ tags }) => ['ClosedEvent', ...tags],
      receive(ctx) {
        expectTypeOf(ctx.emit).parameter(0).toEqualTypeOf<string>();
      },
      on: {
        RunEvent(ctx, event) {
          expectTypeOf(ctx.emit).parameter(0).toEqualTypeOf<string>();
          expectTypeOf(event.input).toEqualTypeOf<'RunEvent'>();
        },
      },
    });
  });

  it('that a function which emits standard outputs only takes the context of any block', () => {
    const finish = (ctx: RunContext): void => {
      ctx.emit(RUN);
    };
    const celebrate = (ctx: RunContext<unknown, 'VotedEvent'>): void => {
      ctx.emit('VotedEvent');
    };
    defineBlock({
      ...named,
      outputs: ['ClosedEvent'],
      receive(ctx) {
        finish(ctx);
        // @ts-expect-error the block does not declare VotedEvent
        celebrate(ctx);
      },
    });
  });
});

describe('an event name that is not declared', () => {
  it('is refused by the compiler, as an output', () => {
    defineBlock({
      ...named,
      outputs: ['VotedEvent'],
      receive(ctx) {
        // @ts-expect-error the name is misspelt
        ctx.emit('VotdEvent');
        // @ts-expect-error only the engine emits it
        ctx.emit('ErrorEvent');
      },
    });
  });

  it('is refused by the compiler and at once, as an input', () => {
    expect(() =>
      defineBlock({
        ...named,
        on: {
          // @ts-expect-error the name is misspelt
          RunEvnt() {
            return undefined;
          },
        },
      }),
    ).toThrow(
      'The option on.RunEvnt of the block type "ballotBlock" in blocks cannot be used: ' +
        'the block has no such input, only RunEvent, RefreshEvent (did you mean "RunEvent"?).',
    );
    expect(() =>
      defineBlock({
        ...named,
        inputs: ['CloseEvent'],
        on: {
          CloseEvent() {
            return undefined;
          },
          // @ts-expect-error not declared, though the engine knows it
          [MEMBER_REMOVED]() {
            return undefined;
          },
        },
      }),
    ).toThrow('only RunEvent, RefreshEvent, CloseEvent; declare it in `inputs`');
  });

  it('fails the run as an output, naming policy, block and the declared outputs', async () => {
    const block = defineBlock({
      ...named,
      outputs: ['VotedEvent'],
      receive(ctx) {
        (ctx.emit as (output: string) => void)('VotdEvent');
      },
    });
    const bench = blockBench(block, { options: { tag: 'ballot' } });
    const { policyId } = await bench.open();
    await expect(bench.as('Voter').send({})).rejects.toMatchObject({
      code: 'OUTPUT_UNDECLARED',
      message:
        `Block "ballot" (ballotBlock) of policy "${policyId}" emitted "VotdEvent", but its type declares ` +
        'only RunEvent, RefreshEvent, ReleaseEvent, VotedEvent. Add it to `outputs`.',
      facts: { policyId, tag: 'ballot', output: 'VotdEvent' },
    });
  });

  it('fails the run also where outputs depend on the options', async () => {
    const block = defineBlock({
      ...named,
      options: z.object({ tags: z.array(z.string()) }),
      input: z.string(),
      outputs: ({ tags }) => tags,
      receive(ctx, output) {
        ctx.emit(output);
      },
    });
    const bench = blockBench(block, { options: { tags: ['RunEvent', 'yes', 'no'] } });
    await bench.as('Voter').send('no');
    expect(bench.emitted.map(({ output }) => output)).toEqual(['no']);
    await expect(bench.as('Voter').send('perhaps')).rejects.toMatchObject({
      code: 'OUTPUT_UNDECLARED',
      facts: { declared: 'RunEvent, RefreshEvent, ReleaseEvent, yes, no' },
    });
  });
});

describe('a block type that cannot be right is refused when it is defined, and when it is registered', () => {
  const handler = (): void => undefined;

  it.each<[string, object, string]>([
    [
      'a misspelt member',
      { recieve: handler },
      'recieve of the block type "ballotBlock" in blocks cannot be used: there is no such member (did you mean "receive"?)',
    ],
    ['an unknown member', { colour: 'red' }, 'there is no such member.'],
    ['no title', { title: undefined }, 'title of the block type "ballotBlock" in blocks cannot be used: it is missing'],
    ['an empty type', { type: '' }, 'it must be a non-empty string'],
    ['an unknown kind', { kind: 'servr' }, 'it must be one of container, interface, server'],
    ['options that are no schema', { options: { size: 3 } }, 'it must be a zod schema'],
    ['outputs that are no names', { outputs: 'VotedEvent' }, 'it must be a list of names'],
    ['a method that is none', { read: 'text' }, 'it must be a function'],
    [
      'a handler that is none',
      { on: { RunEvent: null } },
      'on.RunEvent of the block type "ballotBlock" in blocks cannot be used: it must be a function',
    ],
    ['a tick without a timetable', { on: { [TICK]: handler } }, 'nothing wakes the block: it has no timetable'],
  ])('%s', (_, members, message) => {
    const spec = unchecked({ ...named, ...members });
    expect(() => defineBlock(spec)).toThrow(message);
    expect(() => createEngine({ blocks: [spec] })).toThrow(message);
    expect(() => createEngine({ blocks: [spec] })).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
  });

  it('a class', () => {
    class Ballot {
      readonly type = 'ballotBlock';
    }
    const message = 'a block type must come from defineBlock, not be a class or function';
    expect(() => createEngine({ blocks: [unchecked(Ballot)] })).toThrow(message);
  });

  it('a list, and nothing', () => {
    expect(() => createEngine({ blocks: [unchecked([])] })).toThrow('a block type must come from defineBlock');
    expect(() => createEngine({ blocks: [null as unknown as BlockType] })).toThrow('not be null');
  });

  it('but a plain object with the right members is taken', async () => {
    const engine = createEngine({
      blocks: [{ ...named, timetable: () => ({ next: () => null }), on: { [TICK]: handler } }],
    });
    await engine.close();
  });
});
