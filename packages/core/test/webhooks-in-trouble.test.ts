/** Webhooks whose receivers, owners or processes fail in the middle of something. */
import { MemoryStore, type EngineOptions, type WebhookResponse, type WebhookSender } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { expect, it, vi } from 'vitest';
import { UnsteadyStore } from './background.js';
import { eventNode, eventWorld, owner } from './event-fixtures.js';
import { listenTo } from './telemetry-fixtures.js';

const url = 'https://hooks.example.org/in';

/** Answers as it is told to, once for each entry of the list, and then with 204. */
class Receiver implements WebhookSender {
  readonly received: string[] = [];
  readonly answers: (number | Error | string)[] = [];
  whileSending: () => Promise<unknown> = () => Promise.resolve();

  refusal(): null {
    return null;
  }

  async send({ body }: { body: string }): Promise<WebhookResponse> {
    await this.whileSending();
    const answer = this.answers.shift() ?? 204;
    if (typeof answer !== 'number') throw answer as Error;
    const { data } = JSON.parse(body) as { data: { tags?: string[] } };
    if (answer < 300) this.received.push(data.tags?.join() ?? 'none');
    return { status: answer };
  }
}

async function world(options: EngineOptions = {}) {
  const receiver = new Receiver();
  const clock = new SimulatedClock(Date.now());
  const timers = new SimulatedTimers(clock);
  const warnings: string[] = [];
  const facts: (object | undefined)[] = [];
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message: string, more?: object) => {
      warnings.push(message);
      facts.push(more);
    },
    error: () => undefined,
  };
  const webhookWorld = await eventWorld({ clock, timers, webhooks: receiver, logger, ...options });
  const idle = (): Promise<void> => webhookWorld.engine.program.webhooks.idle();
  const later = async (): Promise<void> => {
    timers.advance(3_600_000);
    await idle();
  };
  const register = () => webhookWorld.engine.webhooks.register(owner, webhookWorld.policyId, { url });
  const deadLetterCount = async (id: string): Promise<number> =>
    (await webhookWorld.engine.webhooks.deadLetters(owner, webhookWorld.policyId, id)).total;
  return { ...webhookWorld, receiver, clock, timers, warnings, facts, idle, later, register, deadLetterCount };
}

it('an event that was given up holds up none of those behind it', async () => {
  const { receiver, register, send, idle, warnings, deadLetterCount } = await world({ limits: { webhookAttempts: 1 } });
  const { id } = await register();
  receiver.answers.push(500);
  for (const tag of ['for_a', 'for_b', 'for_all']) await send(tag);
  await idle();
  expect(receiver.received).toEqual(['for_b', 'for_all']);
  expect(await deadLetterCount(id)).toBe(1);
  expect(warnings).toEqual(['A webhook gave up an event, which is kept as a dead letter.']);
});

it('an event that is refused again stays a dead letter, and those behind it are sent', async () => {
  const { engine, policyId, receiver, register, send, idle, warnings, deadLetterCount } = await world({
    limits: { webhookAttempts: 1 },
  });
  const { id } = await register();
  receiver.answers.push(500, 500);
  await send('for_a');
  await send('for_b');
  await idle();
  expect(await deadLetterCount(id)).toBe(2);
  warnings.length = 0;
  receiver.answers.push(503);
  await engine.webhooks.resend(owner, policyId, id);
  await idle();
  expect(receiver.received).toEqual(['for_b']);
  expect(await deadLetterCount(id)).toBe(1);
  expect(warnings).toEqual(['A webhook refused an event again; it is kept.']);
  expect(await engine.webhooks.list(owner, policyId)).toMatchObject([{ resending: false }]);
});

it('a receiver that is gone is told to the operator, and what is missed is sent when it is asked for', async () => {
  const { engine, policyId, receiver, register, send, idle, later, warnings } = await world();
  const { id } = await register();
  receiver.answers.push(410);
  await send('for_a');
  await idle();
  await send('for_b');
  await later();
  expect(receiver.received).toEqual([]);
  expect(warnings).toEqual(['A webhook is suspended: its receiver wants no more.']);
  await engine.webhooks.resend(owner, policyId, id);
  await idle();
  expect(receiver.received).toEqual(['for_a', 'for_b']);
});

it.each<[string, number | Error | string, string, string, object]>([
  ['a refusal', 503, 'it answered with the status 503', 'STATUS_503', { status: 503 }],
  ['no answer', new Error('nobody answers'), 'nobody answers', 'NO_ANSWER', {}],
  ['what is no error', 'gone fishing', 'gone fishing', 'NO_ANSWER', {}],
])('%s is told with its reason, in the telemetry too', async (_, answer, reason, code, more) => {
  const { engine, policyId, receiver, register, send, idle, later, facts } = await world();
  const { of, stop } = listenTo(engine);
  const { id } = await register();
  receiver.answers.push(answer);
  await send('for_a');
  await idle();
  expect((await engine.program.getReadiness()).stuck).toMatchObject([{ work: 'webhook', id, failures: 1, reason }]);
  await later();
  stop();
  expect(receiver.received).toEqual(['for_a']);
  const [failed, succeeded] = of('webhook');
  expect(failed).toMatchObject({ code, ...more, policyId, webhookId: id, origin: 'https://hooks.example.org' });
  expect(failed?.messageId).toMatch(new RegExp(`^msg_${id}_\\d+$`));
  expect(facts).toEqual([{ webhookId: id, error: expect.objectContaining({ message: reason }) }]);
  if (!('status' in more)) expect(failed?.status).toBeUndefined();
  expect(succeeded?.code).toBeUndefined();
});

it('the webhooks of several policies each get the events of their own', async () => {
  const { engine, policyId, receiver, register, send, idle, addPolicy } = await world();
  await register();
  const second = await addPolicy('Second');
  await engine.webhooks.register(owner, second, { url: `${url}/second` });
  await idle();
  await send('for_a');
  await idle();
  expect(receiver.received).toEqual(['for_a']);
  await engine.sendToBlock(owner, second, { tag: 'for_all' }, {});
  await idle();
  expect(receiver.received).toEqual(['for_a', 'for_all']);
  expect(policyId).not.toBe(second);
});

it('a webhook is not looked at because of what happens in another policy', async () => {
  const store = new MemoryStore();
  const { engine, register, send, idle, addPolicy } = await world({ store });
  const { id } = await register();
  const second = await addPolicy('Second');
  const { id: other } = await engine.webhooks.register(owner, second, { url });
  await idle();
  const get = vi.spyOn(store, 'get');
  await send('for_a');
  await idle();
  const looked = get.mock.calls.flatMap(([kind, , each]) => (kind === 'webhook' ? [each] : []));
  expect(looked).toContain(id);
  expect(looked).not.toContain(other);
});

it('the dead letters of one webhook are neither shown, sent nor removed with those of another', async () => {
  const store = new MemoryStore();
  const limits = { webhookAttempts: 1 };
  const { engine, policyId, receiver, register, send, idle, deadLetterCount } = await world({ store, limits });
  const [{ id: one }, { id: other }] = [await register(), await register()];
  receiver.answers.push(500, 500);
  await send('for_a');
  await idle();
  expect([await deadLetterCount(one), await deadLetterCount(other)]).toEqual([1, 1]);
  await engine.webhooks.resend(owner, policyId, one);
  await idle();
  expect(receiver.received).toEqual(['for_a']);
  expect([await deadLetterCount(one), await deadLetterCount(other)]).toEqual([0, 1]);
  await engine.webhooks.remove(owner, policyId, one);
  expect(await deadLetterCount(other)).toBe(1);
  await engine.webhooks.remove(owner, policyId, other);
  expect(await store.find('webhook-dead-letter', INSTANCE)).toEqual([]);
});

it('a dead letter is sent again when the store failed in the middle of that', async () => {
  const store = new UnsteadyStore();
  const limits = { webhookAttempts: 1 };
  const { engine, policyId, receiver, register, send, idle, later, deadLetterCount } = await world({ store, limits });
  const { id } = await register();
  receiver.answers.push(500);
  await send('for_a');
  await idle();
  receiver.whileSending = () => Promise.resolve((store.isDown = true));
  await engine.webhooks.resend(owner, policyId, id);
  await idle();
  [store.isDown, receiver.whileSending] = [false, () => Promise.resolve()];
  expect([await deadLetterCount(id), await engine.webhooks.list(owner, policyId)]).toMatchObject([
    1,
    [{ resending: true }],
  ]);
  await later();
  expect([await deadLetterCount(id), await engine.webhooks.list(owner, policyId)]).toMatchObject([
    0,
    [{ resending: false }],
  ]);
  // Once for the attempt that the store knows nothing of.
  expect(receiver.received).toEqual(['for_a', 'for_a']);
});

it('a webhook that is removed while it is sent to stays removed', async () => {
  const store = new MemoryStore();
  const { engine, policyId, receiver, register, send, idle, warnings } = await world({ store });
  const { id } = await register();
  receiver.whileSending = () => engine.webhooks.remove(owner, policyId, id).catch(() => undefined);
  await send('for_a');
  await idle();
  expect(receiver.received).toEqual(['for_a']);
  expect(await store.find('webhook', INSTANCE)).toEqual([]);
  expect(warnings).toEqual([]);
});

it('a webhook that is removed while its last attempt fails leaves no dead letter', async () => {
  const { engine, policyId, receiver, register, send, idle } = await world({ limits: { webhookAttempts: 1 } });
  const { id } = await register();
  receiver.whileSending = () => engine.webhooks.remove(owner, policyId, id).catch(() => undefined);
  receiver.answers.push(500);
  await send('for_a');
  await idle();
  expect(await engine.webhooks.list(owner, policyId)).toEqual([]);
  await expect(engine.webhooks.deadLetters(owner, policyId, id)).rejects.toMatchObject({ code: 'WEBHOOK_UNKNOWN' });
});

/** Outlives the engines that use it. */
class LastingStore extends MemoryStore {
  override close(): Promise<void> {
    return Promise.resolve();
  }
}

it('what was not sent before the end of a process is sent by the next one', async () => {
  const store = new LastingStore();
  const { engine, receiver, register, send, idle } = await world({ store });
  await register();
  receiver.answers.push(500, 500, 500, 500);
  await send('for_a');
  await idle();
  await engine.close();
  receiver.answers.length = 0;
  expect(receiver.received).toEqual([]);
  const next = eventNode({ store, webhooks: receiver });
  await next.program.webhooks.idle();
  expect(receiver.received).toEqual(['for_a']);
  await next.close();
});
