import { SequentialIds } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { MemoryStore } from '../memory/index.js';
import { INSTANCE, type Webhook } from '../records/index.js';
import { Executor, revisionKeys } from '../transactions/index.js';
import { WebhookStore } from './webhook-store.js';

const hook = (id: string, more: Partial<Webhook> = {}): Webhook =>
  ({ id, policyId: 'p', position: '0', suspended: null, ...more }) as Webhook;
const message = (id: string) => ({ id, body: `body of ${id}` });

function world(webhookDeadLetters = 9) {
  const store = new MemoryStore();
  const clock = { time: Date.UTC(2030, 0, 9), now: () => clock.time };
  const executor = new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } });
  const limits = { webhooks: 9, webhookAttempts: 9, webhookDeadLetters };
  const webhooks = new WebhookStore({ store, executor, clock, ids: new SequentialIds(), limits });
  const add = (webhook: Webhook) => webhooks.add(webhook, () => undefined);
  const letters = async (id: string) => (await webhooks.deadLetters(id)).map(({ messageId }) => messageId);
  return { store, clock, webhooks, add, letters };
}

it('a webhook is added unless there are too many others of its policy', async () => {
  const { webhooks, add } = world();
  await add(hook('a'));
  await add(hook('b', { policyId: 'q' }));
  const counts: number[] = [];
  const refuse = (count: number): void => {
    counts.push(count);
    throw new Error('enough');
  };
  await expect(webhooks.add(hook('c'), refuse)).rejects.toThrow('enough');
  expect([counts, await webhooks.get('c'), (await webhooks.ofPolicy('p')).map(({ id }) => id)]).toEqual([
    [1],
    undefined,
    ['a'],
  ]);
});

it('those that are suspended are not active', async () => {
  const { webhooks, add } = world();
  await add(hook('a'));
  await add(hook('b', { suspended: 'by its owner' }));
  expect((await webhooks.active()).map(({ id }) => id)).toEqual(['a']);
});

it('each change moves the revision of the webhooks of its policy', async () => {
  const { store, webhooks, add } = world();
  const revision = () => store.revision(revisionKeys.webhooks.of('p'));
  await add(hook('a'));
  await webhooks.change(hook('a'), { position: '1' });
  await webhooks.giveUp(hook('a'), message('m'), 'no', '2');
  const [letter] = await webhooks.deadLetters('a');
  await webhooks.removeLetter(hook('a'), letter?.id ?? '');
  await webhooks.remove(hook('a'));
  expect(await revision()).toBe(5);
});

it('one that was removed stays so, whatever is changed or given up', async () => {
  const { store, webhooks, letters } = world();
  expect(await webhooks.change(hook('a'), { position: '1' })).toBeUndefined();
  expect(await webhooks.giveUp(hook('a'), message('m'), 'no', '2')).toBeUndefined();
  expect([await store.count('webhook', INSTANCE), await letters('a')]).toEqual([0, []]);
});

it('what is given up is kept with its reason, past the position of the webhook', async () => {
  const { webhooks, add, clock } = world();
  await add(hook('a'));
  expect(await webhooks.giveUp(hook('a'), message('m'), 'no', '2')).toEqual(hook('a', { position: '2' }));
  expect(await webhooks.deadLetters('a')).toEqual([
    {
      ...{ id: expect.any(String) as string, webhookId: 'a', messageId: 'm', body: 'body of m', reason: 'no' },
      createDate: new Date(clock.now()).toISOString(),
    },
  ]);
});

it('dead letters are listed from the oldest to the newest, of which so many are kept', async () => {
  const { webhooks, add, letters, clock } = world(2);
  await add(hook('a'));
  await add(hook('b'));
  for (const [id, day] of [
    ['second', 2],
    ['first', 1],
  ] as const) {
    clock.time = Date.UTC(2030, 0, day);
    await webhooks.giveUp(hook('a'), message(id), 'no', '1');
  }
  await webhooks.giveUp(hook('b'), message('of another'), 'no', '1');
  expect(await letters('a')).toEqual(['first', 'second']);
  clock.time = Date.UTC(2030, 0, 3);
  await webhooks.giveUp(hook('a'), message('third'), 'no', '1');
  expect([await letters('a'), await letters('b')]).toEqual([['second', 'third'], ['of another']]);
  await webhooks.remove(hook('a'));
  expect([await letters('a'), await letters('b'), await webhooks.get('a')]).toEqual([[], ['of another'], undefined]);
});
