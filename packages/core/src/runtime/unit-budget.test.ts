import { createEngine } from '../engine/create-engine.js';
import type { Caller } from '../access/caller.js';
import type { PolicyEngine } from '../engine/engine.js';
import { defineBlock, type Json } from '@blockwork/core/block';
import { SimulatedClock } from '@blockwork/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const about = { title: '', description: '' } as const;
let engine: PolicyEngine | undefined;
afterEach(() => engine?.close());

/** Makes as many credentials as it is told, each after the clock has gone on. */
const maker = (clock: SimulatedClock, outputs: Json[]) =>
  defineBlock({
    ...about,
    type: 'maker',
    kind: 'interface',
    input: z.object({ count: z.number(), announced: z.boolean().default(false), text: z.string().default('') }),
    async receive(ctx, { count, announced, text }) {
      if (announced) ctx.budget.expectDocuments(count);
      for (let at = 0; at < count; at += 1) {
        const { did } = await ctx.credentials.createIdentity();
        outputs.push(await ctx.credentials.issue({ issuer: did, group: null, subject: { id: 'urn:x', at, text } }));
        clock.advance(4);
      }
    },
  });

/** Sends what it carries along, one level deeper, to itself. */
const wrapper = defineBlock({
  ...about,
  type: 'wrapper',
  kind: 'interface',
  input: z.json(),
  outputs: ['Again'],
  receive: (ctx) => ctx.emit('Again', null),
  on: { RunEvent: (ctx, { carried }) => ctx.emit('Again', null, { carried: { carried } }) },
});

const again = { source: 'it', output: 'Again', target: 'it', input: 'RunEvent', actor: '' };

async function world(limits: object, blockType: string) {
  const clock = new SimulatedClock();
  const outputs: Json[] = [];
  engine = createEngine({ clock, blocks: [maker(clock, outputs), wrapper], limits });
  const { policy } = await engine.importPolicy(owner, {
    name: 'Budget',
    config: { blockType, tag: 'it', permissions: ['OWNER'], events: blockType === 'wrapper' ? [again] : [] },
  });
  const send = (data: unknown) => engine?.sendToBlock(owner, policy.id, { tag: 'it' }, data);
  return { outputs, send };
}

describe('a unit of work', () => {
  it('lets the rest of the process run while it makes many documents', async () => {
    const { outputs, send } = await world({}, 'maker');
    const seen: number[] = [];
    let isOver = false;
    const look = (): void => {
      seen.push(outputs.length);
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    await send({ count: 40 });
    isOver = true;
    const between = new Set(seen.filter((count) => count > 0 && count < 40));
    expect(between.size).toBeGreaterThanOrEqual(10);
  });

  it('that makes more documents than the limit is refused, before the first one if they were announced', async () => {
    const { outputs, send } = await world({ unitDocuments: 10 }, 'maker');
    const refused = { code: 'DOCUMENTS_TOO_MANY', status: 422, facts: { tag: 'it', limit: 10 } };
    await expect(send({ count: 11 })).rejects.toMatchObject(refused);
    expect(outputs).toHaveLength(10);
    await expect(send({ count: 11, announced: true })).rejects.toMatchObject(refused);
    expect(outputs).toHaveLength(10);
    await send({ count: 10, announced: true });
    expect(outputs).toHaveLength(20);
  });

  it('counts the bytes of documents while it makes them, not only when they are stored', async () => {
    const { outputs, send } = await world({ unitBytes: 50_000 }, 'maker');
    await expect(send({ count: 100, text: 'x'.repeat(9_000) })).rejects.toMatchObject({ code: 'UNIT_TOO_LARGE' });
    expect(outputs.length).toBeLessThan(6);
  });

  it('ends when its time is up, between two documents', async () => {
    const { outputs, send } = await world({ runMs: 50 }, 'maker');
    await expect(send({ count: 1_000 })).rejects.toMatchObject({ code: 'RUN_TOO_LONG' });
    expect(outputs.length).toBeLessThan(30);
  });

  it('whose events carry more with each round of a cycle is refused, and is no failure of the engine', async () => {
    const { send } = await world({}, 'wrapper');
    await expect(send(null)).rejects.toMatchObject({
      code: 'RUN_TOO_LONG',
      status: 422,
      facts: { limit: '200 levels of data in an event', way: 'it -> it' },
    });
  });
});
