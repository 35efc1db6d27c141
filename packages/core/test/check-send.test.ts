/** `engine.checkSend`: whether a block takes data, without anything that a send would do. */
import { createEngine, silentLogger, type PolicyEngine } from '@blockwork/core';
import { defineBlock, RUN } from '@blockwork/core/block';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';

const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const alice = { did: 'did:example:alice', role: 'USER' };
let [ran, engine, policyId]: [string[], PolicyEngine | undefined, string] = [[], undefined, ''];

const desk = defineBlock({
  type: 'desk',
  title: 'Desk',
  description: 'Takes small numbers.',
  kind: 'interface',
  input: z.object({ value: z.number() }),
  outputs: [RUN],
  async receive(ctx, { value }) {
    ran.push(`desk ${String(value)}`);
    if (value > 10) ctx.fail('INPUT_INVALID', { facts: { reason: 'Too large.' } });
    const document = await ctx.documents.add({ owner: ctx.user.did, document: { value } });
    ctx.emit(RUN, document);
    return { taken: value };
  },
});
const next = defineBlock({
  type: 'next',
  title: 'Next',
  description: 'Fails.',
  kind: 'server',
  on: {
    RunEvent() {
      ran.push('next');
      throw new Error('It is closed.');
    },
  },
});

const caller = defineBlock({
  type: 'caller',
  title: 'Caller',
  description: 'Calls a service for small numbers.',
  kind: 'interface',
  input: z.object({ value: z.number() }),
  async receive(ctx, { value }) {
    if (value > 10) ctx.fail('INPUT_INVALID', { facts: { reason: 'Too large.' } });
    return { answer: await ctx.once('call', () => Promise.resolve(ran.push('service'))) };
  },
});

const link = { source: 'desk', output: RUN, target: 'next', input: RUN, actor: '' };

beforeEach(async () => {
  ran = [];
  engine = createEngine({ blocks: [desk, next, caller], logger: silentLogger });
  const { policy } = await engine.importPolicy(owner, {
    name: 'Desk',
    config: {
      blockType: 'interfaceContainerBlock',
      permissions: ['ANY_ROLE'],
      children: [
        { blockType: 'desk', tag: 'desk', permissions: ['ANY_ROLE'], events: [link] },
        { blockType: 'next', tag: 'next', permissions: ['ANY_ROLE'] },
        { blockType: 'caller', tag: 'caller', permissions: ['ANY_ROLE'] },
        { blockType: 'desk', tag: 'private', permissions: ['OWNER'] },
      ],
    },
  });
  policyId = policy.id;
});
afterEach(() => engine?.close());

const check = async (data: unknown, tag = 'desk', caller = alice): Promise<void> =>
  engine?.checkSend(caller, policyId, { tag }, data);

it('accepts what the block takes, and leaves nothing of it behind', async () => {
  const before = await engine?.journal.list(owner, policyId);
  await expect(check({ value: 3 })).resolves.toBeUndefined();
  expect(ran).toEqual(['desk 3']);
  expect((await engine?.documents.list(owner, policyId))?.total).toBe(0);
  expect(await engine?.journal.list(owner, policyId)).toEqual(before);
});

it('does not run what would follow, which a send runs', async () => {
  await check({ value: 3 });
  await expect(engine?.sendToBlock(alice, policyId, { tag: 'desk' }, { value: 3 })).rejects.toThrow('next');
  expect(ran).toEqual(['desk 3', 'desk 3', 'next']);
});

it('calls no service, which a send calls, and refuses what the block refuses before', async () => {
  await check({ value: 3 }, 'caller');
  await expect(check({ value: 11 }, 'caller')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  expect(ran).toEqual([]);
  expect(await engine?.sendToBlock(alice, policyId, { tag: 'caller' }, { value: 3 })).toEqual({ answer: 1 });
  expect(ran).toEqual(['service']);
});

it('refuses as a send does: input of another shape, what the block refuses, and who may not', async () => {
  for (const [data, tag] of [
    [{ value: 'x' }, 'desk'],
    [{ value: 11 }, 'desk'],
    [{ value: 1 }, 'private'],
    [{ value: 1 }, 'nowhere'],
    [{ value: 1 }, 'next'],
  ] as const) {
    const refusal = async (sending: Promise<unknown> | undefined): Promise<unknown> => {
      const { code, message, details } = await Promise.resolve(sending).then(
        () => ({ code: 'none', message: '', details: [] }),
        (error: unknown) => error as { code: string; message: string; details: unknown },
      );
      return { code, message, details };
    };
    const checked = await refusal(check(data, tag));
    expect(checked).toEqual(await refusal(engine?.sendToBlock(alice, policyId, { tag }, data)));
    expect(checked).not.toMatchObject({ code: 'none' });
  }
});
