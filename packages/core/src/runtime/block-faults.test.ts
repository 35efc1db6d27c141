import { createEngine, type PolicyEngine } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';

const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const circle: Record<string, unknown> = {};
circle['again'] = circle;

/** Reads fail, inputs are checked by code that fails, and answers are what JSON cannot hold. */
const faulty = defineBlock({
  type: 'faulty',
  title: 'Faulty',
  description: 'Has the mistakes that authors make.',
  kind: 'interface',
  input: z.string().transform((text) => {
    if (text === 'transform') throw new TypeError('a bug in the schema');
    return text;
  }),
  read: () => Promise.reject(new TypeError('a bug in read')),
  async receive(ctx, which) {
    await ctx.state.set(which);
    const answers: Record<string, unknown> = { bigint: 1n, function: () => 1, circle, undefined, list: [1, 'two'] };
    return answers[which] as null;
  },
});

let engine: PolicyEngine;
let policyId: string;
const located = { tag: 'faulty', blockType: 'faulty' };

beforeEach(async () => {
  engine = createEngine({ blocks: [faulty] });
  const block = { permissions: ['ANY_ROLE'], defaultActive: true };
  const children = [{ ...block, blockType: 'faulty', tag: 'faulty' }];
  const config = { ...block, blockType: 'interfaceContainerBlock', tag: 'root', children };
  ({ id: policyId } = (await engine.importPolicy(owner, { name: 'Faulty', config })).policy);
});

afterEach(() => engine.close());

const send = (data: string, key?: string) =>
  engine.sendToBlock(owner, policyId, { tag: 'faulty' }, data, key === undefined ? {} : { idempotencyKey: key });
const journal = async () => (await engine.journal.list(owner, policyId)).items;

test('a read that throws names the block', async () => {
  const failure = { code: 'BLOCK_FAILED', facts: { policyId, ...located }, cause: new TypeError('a bug in read') };
  await expect(engine.readBlock(owner, policyId, { tag: 'faulty' })).rejects.toMatchObject(failure);
});

test('an input schema that throws names the block', async () => {
  const failure = { code: 'BLOCK_FAILED', facts: located, cause: new TypeError('a bug in the schema') };
  await expect(send('transform')).rejects.toMatchObject(failure);
});

test.each(['bigint', 'function', 'circle'])(
  'an answer of a %s, which nobody could be sent, leaves nothing',
  async (which) => {
    const before = await journal();
    await expect(send(which)).rejects.toMatchObject({ code: 'BLOCK_FAILED', facts: located });
    await expect(send(which, 'a-key')).rejects.toMatchObject({ code: 'BLOCK_FAILED', facts: located });
    expect(await journal()).toEqual(before);
  },
);

test.each([
  ['undefined', {}],
  ['list', [1, 'two']],
])('an answer of a %s is given', async (which, answer) => {
  expect(await send(which)).toEqual(answer);
});
