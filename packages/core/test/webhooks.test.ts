/** Webhooks: each gets the events of its policy in order, at least once, signed, and without data. */
import {
  MemoryStore,
  type Caller,
  type EngineOptions,
  type PolicyEngine,
  type WebhookRequest,
  type WebhookResponse,
  type WebhookSender,
} from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import { MemoryCluster, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { alice, bob, eventNode, eventWorld, owner } from './event-fixtures.js';

const url = 'https://hooks.example.org/in';
const other = 'https://hooks.example.org/other';

interface Received {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly event: { readonly id: string; readonly type: string; readonly data: { readonly tags?: readonly string[] } };
}

/** A receiver that answers with the status that `answers` has for an address, 204 at first; `null` is no answer. */
class Receiver implements WebhookSender {
  readonly received: Received[] = [];
  readonly answers = new Map<string, number | null>();
  retryAfter: string | null = null;

  refusal(address: string): string | null {
    return address.startsWith('https://hooks.example.org/') ? null : 'it is not in the list of allowed addresses';
  }

  send({ url: to, headers, body }: WebhookRequest): Promise<WebhookResponse> {
    const status = this.answers.get(to);
    if (status === null) return Promise.reject(new Error('nobody answers'));
    if (status === undefined || status < 300) {
      this.received.push({ url: to, headers, event: JSON.parse(body) as Received['event'] });
    }
    return Promise.resolve({ status: status ?? 204, retryAfter: this.retryAfter });
  }

  /** The tags of the units that an address has taken, and the types of other events. */
  tags(address: string): unknown[] {
    const events = this.received.filter((each) => each.url === address).map(({ event }) => event);
    return events.map(({ type, data }) => data.tags ?? type);
  }
}

async function world(options: EngineOptions = {}) {
  const receiver = new Receiver();
  const clock = new SimulatedClock(Date.now());
  const timers = new SimulatedTimers(clock);
  const webhookWorld = await eventWorld({ clock, timers, webhooks: receiver, ...options });
  const idle = (): Promise<void> => webhookWorld.engine.program.webhooks.idle();
  const register = async (address = url, more = {}) =>
    webhookWorld.engine.webhooks.register(owner, webhookWorld.policyId, { url: address, ...more });
  /** Lets time pass until the next attempt. */
  const later = async (ms = 3_600_000): Promise<void> => {
    timers.advance(ms);
    await idle();
  };
  return { ...webhookWorld, receiver, clock, timers, idle, register, later };
}

const listed = (engine: PolicyEngine, policyId: string) => engine.webhooks.list(owner, policyId);

describe('a webhook', () => {
  it('gets what happens after it was registered, in order, once each, as signed CloudEvents without data', async () => {
    const { receiver, register, send, idle, policyId } = await world();
    await send('for_all');
    const { secret, id } = await register();
    for (const tag of ['for_all', 'for_b', 'within_b']) await send(tag);
    await send('for_a', true);
    await idle();
    expect(receiver.tags(url)).toEqual([['for_all'], ['for_b'], ['within_b'], ['for_a']]);
    const [first] = receiver.received;
    const number = first?.event.id ?? '';
    expect(first?.event).toEqual({
      specversion: '1.0',
      id: number,
      source: `/policies/${policyId}`,
      type: 'blockwork.policy.unit',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      datacontenttype: 'application/json',
      data: expect.objectContaining({ type: 'unit', id: number, policyId, cause: 'send', tags: ['for_all'] }),
    });
    expect(first?.headers).toMatchObject({
      'webhook-id': `msg_${id}_${number}`,
      'content-type': 'application/cloudevents+json; charset=utf-8',
    });
    for (const { headers, event } of receiver.received) {
      expect(new Webhook(secret).verify(JSON.stringify(event), { ...headers })).toEqual(event);
      expect(() => new Webhook(secret).verify(JSON.stringify({ ...event, id: 'x' }), { ...headers })).toThrow();
    }
  });

  it('is told of the trace that an event belongs to, as it is passed on', async () => {
    const { receiver, register, engine, idle, policyId } = await world();
    await register();
    const unsampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
    for (const traceparent of [unsampled, 'nonsense'])
      await engine.sendToBlock(alice, policyId, { tag: 'for_all' }, {}, { traceparent });
    await idle();
    const [named, unnamed] = receiver.received;
    expect([named?.headers, named?.event]).toMatchObject([{ traceparent: unsampled }, { traceparent: unsampled }]);
    for (const part of [unnamed?.headers, unnamed?.event]) expect(part).not.toHaveProperty('traceparent');
  });

  it('gets only the types that it asked for, and is signed with the key that its owner chose', async () => {
    const { receiver, register, send, idle, engine, policyId } = await world();
    const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    expect(await register(url, { events: ['status'], secret })).toMatchObject({ secret, events: ['status'] });
    await send('for_all');
    await engine.lifecycle.discontinue(owner, policyId);
    await idle();
    expect(receiver.received.map(({ event }) => event.type)).toEqual(['blockwork.policy.status']);
    const [{ headers, event } = { headers: {}, event: null }] = receiver.received;
    expect(new Webhook(secret).verify(JSON.stringify(event), { ...headers })).toEqual(event);
  });

  it('is told of a gap, whatever it asked for, when the journal begins anew', async () => {
    const { receiver, register, send, idle, engine, policyId } = await world();
    await register(url, { events: ['status'] });
    await engine.lifecycle.dryRun(owner, policyId);
    await idle();
    await send('for_all');
    await idle();
    expect(receiver.tags(url)).toEqual(['blockwork.policy.gap']);
  });

  it('has its position saved on the way, so that little is repeated after a crash', async () => {
    const store = new MemoryStore();
    const { receiver, register, send, idle, later } = await world({ store });
    await register();
    const positions = new Set<string>();
    const deliver = receiver.send.bind(receiver);
    receiver.answers.set(url, null);
    for (let sent = 0; sent < 45; sent += 1) await send('for_all');
    await idle();
    receiver.answers.clear();
    receiver.send = async (request) => {
      const [stored] = await store.find('webhook', INSTANCE);
      positions.add(stored?.position ?? '');
      return deliver(request);
    };
    await later();
    expect(receiver.tags(url)).toHaveLength(45);
    // At the start, and after 20 and 40 events.
    expect(positions.size).toBe(3);
  });

  it('that fails is tried again later, in order, and holds up no other', async () => {
    const { receiver, register, send, idle, later } = await world();
    await register();
    await register(other);
    receiver.answers.set(url, 500);
    await send('for_a');
    await send('for_b');
    await idle();
    expect([receiver.tags(url), receiver.tags(other)]).toEqual([[], [['for_a'], ['for_b']]]);
    receiver.answers.set(url, null);
    await later();
    receiver.answers.set(url, 200);
    await later();
    expect([receiver.tags(url), receiver.tags(other)]).toEqual([
      [['for_a'], ['for_b']],
      [['for_a'], ['for_b']],
    ]);
  });

  it.each<[string, (now: number) => string, number]>([
    ['seconds', () => '90', 90_000],
    ['a date', (now) => new Date(Math.ceil(now / 1000) * 1000 + 90_000).toUTCString(), 91_000],
    ['more than an hour', () => '86400', 3_600_000],
    ['less than the pause', () => '1', 5_000],
  ])('whose receiver asks to wait for %s is left alone for that long', async (_, header, waited) => {
    const { receiver, register, send, idle, later, clock } = await world();
    await register();
    receiver.answers.set(url, 429);
    receiver.retryAfter = header(clock.now());
    await send('for_a');
    await idle();
    receiver.answers.delete(url);
    await later(waited - 1_001);
    expect(receiver.tags(url)).toEqual([]);
    await later(1_001);
    expect(receiver.tags(url)).toEqual([['for_a']]);
  });

  it('that fails is shown to the operator with the reason, until it works again', async () => {
    const { receiver, register, send, idle, later, engine } = await world();
    const { id } = await register();
    receiver.answers.set(url, 503);
    await send('for_a');
    await idle();
    const { stuck } = await engine.program.getReadiness();
    expect(stuck).toMatchObject([{ work: 'webhook', id, failures: 1, reason: 'it answered with the status 503' }]);
    receiver.answers.delete(url);
    await later();
    expect((await engine.program.getReadiness()).stuck).toEqual([]);
  });

  it('gives up an event after the last attempt, keeps it, and sends it again when it is asked to', async () => {
    const { receiver, register, send, later, idle, engine, policyId } = await world({ limits: { webhookAttempts: 2 } });
    const { id } = await register();
    receiver.answers.set(url, 500);
    await send('for_a');
    await idle();
    expect((await engine.webhooks.deadLetters(owner, policyId, id)).total).toBe(0);
    await later();
    const { items, total } = await engine.webhooks.deadLetters(owner, policyId, id);
    expect([total, items]).toMatchObject([1, [{ webhookId: id, reason: 'it answered with the status 500' }]]);
    receiver.answers.delete(url);
    await send('for_b');
    await idle();
    expect(receiver.tags(url)).toEqual([['for_b']]);
    expect(await engine.webhooks.resend(owner, policyId, id)).toMatchObject({ id, resending: true });
    await idle();
    expect(receiver.tags(url)).toEqual([['for_b'], ['for_a']]);
    expect(receiver.received[1]?.headers['webhook-id']).toBe(items[0]?.messageId);
    expect((await engine.webhooks.deadLetters(owner, policyId, id)).total).toBe(0);
    expect(await listed(engine, policyId)).toMatchObject([{ resending: false }]);
  });

  it('keeps so many of the events that it gave up, the newest', async () => {
    const limits = { webhookAttempts: 1, webhookDeadLetters: 2 };
    const { receiver, register, send, idle, engine, policyId } = await world({ limits });
    const { id } = await register();
    receiver.answers.set(url, 500);
    for (const tag of ['for_a', 'for_b', 'for_all']) {
      await send(tag);
      await idle();
    }
    const { items } = await engine.webhooks.deadLetters(owner, policyId, id);
    const tags = items.map(({ body }) => (JSON.parse(body) as Received['event']).data.tags);
    expect(tags.sort()).toEqual([['for_all'], ['for_b']]);
  });

  it('whose receiver is gone is suspended until its owner asks for it', async () => {
    const { receiver, register, send, later, idle, engine, policyId } = await world();
    const { id } = await register();
    receiver.answers.set(url, 410);
    await send('for_a');
    await idle();
    receiver.answers.delete(url);
    await later();
    expect(receiver.received).toEqual([]);
    expect(await listed(engine, policyId)).toMatchObject([{ id, suspended: 'it answered with the status 410' }]);
    await engine.webhooks.resend(owner, policyId, id);
    await idle();
    expect(receiver.tags(url)).toEqual([['for_a']]);
  });

  it('that was removed gets nothing more', async () => {
    const { receiver, register, send, later, idle, engine, policyId } = await world();
    const { id } = await register();
    receiver.answers.set(url, 500);
    await send('for_a');
    await idle();
    await engine.webhooks.remove(owner, policyId, id);
    receiver.answers.delete(url);
    await send('for_b');
    await later();
    expect([receiver.received, await listed(engine, policyId)]).toEqual([[], []]);
  });
});

describe('a webhook of several nodes', () => {
  it('is served by one at a time, and by another after that one has stopped', async () => {
    const cluster = new MemoryCluster(new SimulatedClock(Date.now()));
    const receiver = new Receiver();
    const { engine: first, policyId, send } = await eventWorld({ store: cluster.connect(), webhooks: receiver });
    const second = eventNode({ store: cluster.connect(), webhooks: receiver });
    await first.webhooks.register(owner, policyId, { url });
    await send('for_a');
    await second.sendToBlock(bob, policyId, { tag: 'for_b' }, {});
    await Promise.all([first.program.webhooks.idle(), second.program.webhooks.idle()]);
    await first.close();
    await second.sendToBlock(alice, policyId, { tag: 'for_all' }, {});
    await second.program.webhooks.idle();
    expect(receiver.tags(url)).toEqual([['for_a'], ['for_b'], ['for_all']]);
    await second.close();
  });
});

describe('registering a webhook', () => {
  it.each<[string, object, string, string]>([
    [
      'an address that may not be called',
      { url: 'https://elsewhere.example/?key=1' },
      'WEBHOOK_URL_REFUSED',
      'allowed',
    ],
    ['what is no address', { url: 'hooks' }, 'WEBHOOK_URL_REFUSED', 'not an address'],
    ['a short secret', { url, secret: 'whsec_AAAA' }, 'INPUT_INVALID', 'whsec_'],
    ['no types', { url, events: [] }, 'INPUT_INVALID', 'unit, status'],
    ['unknown types', { url, events: ['open'] }, 'INPUT_INVALID', 'unit, status'],
  ])('refuses %s', async (_, input, code, part) => {
    const { engine, policyId } = await world();
    const refused = engine.webhooks.register(owner, policyId, input as { url: string });
    await expect(refused).rejects.toMatchObject({ code, message: expect.stringContaining(part) });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('key=1') });
    expect(await listed(engine, policyId)).toEqual([]);
  });

  it('is for the owner of the policy, and shows the secret once', async () => {
    const { engine, policyId, register } = await world();
    const { secret, id } = await register();
    expect(secret).toMatch(/^whsec_/);
    expect(JSON.stringify(await listed(engine, policyId))).not.toContain(secret);
    const manager: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
    for (const [caller, code] of [
      [alice, 'PERMISSION_DENIED'],
      [bob, 'PERMISSION_DENIED'],
      [manager, 'POLICY_UNKNOWN'],
    ] as const) {
      await expect(engine.webhooks.list(caller, policyId)).rejects.toMatchObject({ code });
      await expect(engine.webhooks.register(caller, policyId, { url })).rejects.toMatchObject({ code });
      await expect(engine.webhooks.remove(caller, policyId, id)).rejects.toMatchObject({ code });
      await expect(engine.webhooks.deadLetters(caller, policyId, id)).rejects.toMatchObject({ code });
      await expect(engine.webhooks.resend(caller, policyId, id)).rejects.toMatchObject({ code });
    }
  });

  it('ends at the limit of one policy', async () => {
    const { register } = await world({ limits: { webhooks: 2 } });
    await register();
    await register(other);
    await expect(register()).rejects.toMatchObject({ code: 'WEBHOOKS_TOO_MANY' });
  });

  it('is refused where nothing may be sent', async () => {
    const { engine, policyId } = await eventWorld();
    const refused = engine.webhooks.register(owner, policyId, { url });
    await expect(refused).rejects.toMatchObject({ code: 'WEBHOOKS_OFF' });
    await engine.program.webhooks.idle();
  });

  it('knows no webhook of another policy', async () => {
    const { engine, register, addPolicy } = await world();
    const { id } = await register();
    const elsewhere = await addPolicy('Other');
    await expect(engine.webhooks.remove(owner, elsewhere, id)).rejects.toMatchObject({ code: 'WEBHOOK_UNKNOWN' });
  });
});

describe('many webhooks', () => {
  it.each([1, 3, 8, 50])(
    'deliver every event to all of %i receivers, come to rest, and let others run',
    async (count) => {
      const { receiver, register, send, idle, later } = await world({ limits: { webhooks: 50, webhookAttempts: 2 } });
      const addresses = Array.from({ length: count }, (_, at) => `${url}/${String(at)}`);
      for (const address of addresses) await register(address);
      // Every third one fails at first, and every third one is gone.
      addresses.forEach((address, at) => {
        if (at % 3 === 1) receiver.answers.set(address, 500);
        if (at % 3 === 2) receiver.answers.set(address, 410);
      });
      let turns = 0;
      let isOver = false;
      const others = (): void => {
        turns += 1;
        if (!isOver) setImmediate(others);
      };
      setImmediate(others);
      for (let sent = 0; sent < 30; sent += 1) await send('for_all');
      await idle();
      for (const address of addresses) if (receiver.answers.get(address) === 500) receiver.answers.set(address, 204);
      await later();
      isOver = true;
      expect(turns).toBeGreaterThan(0);
      addresses.forEach((address, at) => expect(receiver.tags(address)).toHaveLength(at % 3 === 2 ? 0 : 30));
    },
  );

  it('are not looked at again when nothing has happened since', async () => {
    const { engine, receiver, register, send, idle, policyId } = await world();
    for (let at = 0; at < 8; at += 1) await register(`${url}/${String(at)}`);
    await send('for_all');
    await idle();
    const received = receiver.received.length;
    await idle();
    expect(receiver.received).toHaveLength(received);
    expect(await listed(engine, policyId)).toHaveLength(8);
  });
});
