import { createEngine } from '../engine/create-engine.js';
import type { PolicyEngine } from '../engine/engine.js';
import { defineBlock } from '@blockwork/core/block';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';

const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const circle: Record<string, unknown> = {};
circle['again'] = circle;

const answers: Record<string, unknown> = {
  bigint: 1n,
  function: () => 1,
  symbol: Symbol('x'),
  inside: { data: [1, { 'a/b': [null, 5n] }], size: 1 },
  member: { size: 1, render: () => 1 },
  circle,
  undefined,
  list: [1, 'two'],
};
const answerOf = (which: string): null => answers[which] as null;
/** What the message says of the answers that JSON cannot represent. */
const rejected: [which: string, reason: string][] = [
  ['bigint', 'it is a bigint'],
  ['function', 'it is a function'],
  ['symbol', 'it is a symbol'],
  ['inside', '/data/1/a~1b/1 is a bigint'],
  ['member', '/render is a function'],
  ['circle', 'it nests too deep, or holds itself'],
];

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
  read: ({ query }) => {
    const { answer: which } = query;
    return which === undefined ? Promise.reject(new TypeError('a bug in read')) : answerOf(which);
  },
  async receive(ctx, which) {
    await ctx.state.set(which);
    return answerOf(which);
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

test.each(rejected)(
  'an answer of a %s, which nobody could be sent, leaves nothing, and says that %s',
  async (which, reason) => {
    const message = `Block "faulty" (faulty) of policy "${policyId}" returned an answer that JSON cannot represent: ${reason}.`;
    const refused = { code: 'ANSWER_NOT_JSON', facts: located, message };
    const before = await journal();
    await expect(send(which)).rejects.toMatchObject(refused);
    await expect(send(which, 'a-key')).rejects.toMatchObject(refused);
    expect(await journal()).toEqual(before);
  },
);

test.each(rejected)(
  'a read that answers a %s fails alike as a value and as text, and says that %s',
  async (which, reason) => {
    const message = expect.stringContaining(`that JSON cannot represent: ${reason}.`) as string;
    const refused = { code: 'ANSWER_NOT_JSON', facts: located, message };
    const [block, query] = [{ tag: 'faulty' }, { answer: which }];
    await expect(engine.readBlock(owner, policyId, block, query)).rejects.toMatchObject(refused);
    await expect(engine.readBlockText(owner, policyId, block, query)).rejects.toMatchObject(refused);
  },
);

test.each([
  ['undefined', {}],
  ['list', [1, 'two']],
])('an answer of a %s is given', async (which, answer) => {
  expect(await send(which)).toEqual(answer);
});
