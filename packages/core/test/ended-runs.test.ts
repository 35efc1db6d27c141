/** What a block does with its context after its run has ended: it fails, instead of being lost. */
import { createEngine, isBlockworkError, type PolicyEngine } from '@blockwork/core';
import { defineBlock, type RunContext } from '@blockwork/core/block';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const named = (type: string) => ({ type, title: type, description: '', kind: 'interface' as const });
const json = z.json();
const never = new Promise<never>(() => undefined);

/** Each use of a context that has an effect. */
const uses: Readonly<Record<string, (ctx: RunContext) => unknown>> = {
  emit: (ctx) => ctx.emit('RunEvent', {}),
  raise: (ctx) => ctx.raise(ctx.block, 'RunEvent'),
  warn: (ctx) => ctx.warn('late'),
  once: (ctx) => ctx.once('call', () => Promise.resolve(1)),
  assist: (ctx) => ctx.assist(ctx.block, null),
  state: (ctx) => ctx.state.set({ n: 2 }),
  'state, read': (ctx) => ctx.state.get(json),
  'documents.add': (ctx) => ctx.documents.add({ owner: owner.did, document: {} }),
  'documents.get': (ctx) => ctx.documents.get('x'),
  entries: (ctx) => ctx.entries.put({ id: 'a', key: 'b', value: 1 }),
  memberships: (ctx) => ctx.memberships,
  notifications: (ctx) => ctx.notifications,
  secrets: (ctx) => ctx.secrets,
  streams: (ctx) => ctx.streams,
  credentials: (ctx) => ctx.credentials,
  ledger: (ctx) => ctx.ledger,
};

let engine: PolicyEngine | undefined;
afterEach(() => engine?.close());

/** An engine with one block, which gives its context away. */
async function leaking(onReceive: (ctx: RunContext) => unknown = () => undefined) {
  const seen: RunContext[] = [];
  const leak = defineBlock({
    ...named('leak'),
    input: z.unknown(),
    read: async (ctx) => (await ctx.state.get(json)) ?? null,
    async receive(ctx) {
      seen.push(ctx);
      await ctx.state.set({ n: 1 });
      await onReceive(ctx);
    },
  });
  const clock = new SimulatedClock();
  const timers = new SimulatedTimers(clock);
  const created = (engine = createEngine({ blocks: [leak], clock, timers }));
  const config = { blockType: 'leak', tag: 'leak', permissions: ['ANY_ROLE'] };
  await created.importPolicy(owner, { id: 'leaky', name: 'Leaky', config });
  const send = () => created.sendToBlock(owner, 'leaky', { tag: 'leak' }, {});
  const context = (): RunContext => {
    const [ctx] = seen;
    if (ctx === undefined) throw new Error('The block has not run.');
    return ctx;
  };
  return { created, timers, seen, send, context };
}

const outcome = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
    return 'done';
  } catch (error) {
    return error;
  }
};

describe('after its run, a block that uses', () => {
  it.each(Object.entries(uses))('ctx.%s is told so', async (_, use) => {
    const { created, send, context } = await leaking();
    await send();
    const error = await outcome(() => use(context()));
    expect(error).toMatchObject({
      code: 'RUN_ENDED',
      message: expect.stringContaining('Block "leak" (leak) of policy "leaky" used its context') as string,
    });
    expect(await created.readBlock(owner, 'leaky', { tag: 'leak' })).toEqual({ n: 1 });
  });

  it('its context after a failure is told so as well', async () => {
    const { created, send, context } = await leaking(() => {
      throw new Error('broken');
    });
    await expect(send()).rejects.toMatchObject({ code: 'BLOCK_FAILED' });
    expect(await outcome(() => context().state.set({ n: 3 }))).toMatchObject({ code: 'RUN_ENDED' });
    expect(await created.readBlock(owner, 'leaky', { tag: 'leak' })).toBeNull();
  });

  it('what it has kept of its context is told where the run began', async () => {
    const states: RunContext['state'][] = [];
    const { send } = await leaking((ctx) => states.push(ctx.state));
    await send();
    const error = await outcome(() => states[0]?.set({ n: 2 }));
    expect(isBlockworkError(error, 'RUN_ENDED') && error.message).toContain(
      'A block of the run that began at block "leak" of policy "leaky" used its context',
    );
  });

  it('its context once the time is up is told so, while its method goes on', async () => {
    const { timers, seen, send, context } = await leaking(() => never);
    const sent = expect(send()).rejects.toMatchObject({ code: 'RUN_TOO_LONG' });
    await expect.poll(() => seen.length).toBe(1);
    timers.advance(30_001);
    await sent;
    expect(await outcome(() => context().state.set({ n: 4 }))).toMatchObject({ code: 'RUN_ENDED' });
  });
});
