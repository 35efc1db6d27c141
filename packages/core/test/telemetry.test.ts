/** What an engine tells of its work: ids, counts and outcomes, the trace that caused it, and nothing that it works with. */
import { BlockworkError, channels, createEngine, MemoryStore, type WebhookSender } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { INSTANCE } from '@blockwork/core/records';
import { block, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HOUR, hourlyBlock, hourlyPolicy } from '../../../test/support/hourly-block.js';
import { ana, openWorld, owner as owners, policy as votes, soon, voteFor } from './conversation-fixtures.js';
import { alice, eventWorld, owner } from './event-fixtures.js';
import { listenTo, type Listener } from './telemetry-fixtures.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;
/** The same trace, in a span of whoever listens. */
const within = `00-${TRACE}-00000000000000aa-01`;

const open: Listener[] = [];
const listening: typeof listenTo = (...about) => {
  const listener = listenTo(...about);
  open.push(listener);
  return listener;
};
afterEach(() => {
  for (const listener of open.splice(0)) listener.stop();
});

describe('telemetry of a policy', () => {
  it('tells of reads: which block of which type, and whether the answer was kept', async () => {
    const { engine, policyId } = await eventWorld();
    const { heard, of } = listening(engine);
    const { uuid } = await engine.findBlock(alice, policyId, 'grid_a');
    await engine.readBlockText(alice, policyId, { uuid });
    await engine.readBlockText(alice, policyId, { uuid }, {}, { traceparent });
    await engine.readBlock(alice, policyId, { tag: 'grid_a' }, {}, { traceparent: 'nonsense' });
    const facts = { policyId, block: 'grid_a', blockType: 'interfaceDocumentsSourceBlock', outcome: 'done' };
    expect(of('read')).toMatchObject([
      { ...facts, kept: false, traceparent: undefined },
      { ...facts, kept: true, traceparent },
      { ...facts, kept: false, traceparent: undefined },
    ]);
    expect(of('read').every(({ ms = -1 }) => ms >= 0)).toBe(true);
    expect(heard).toHaveLength(3);
    await engine.close();
  });

  it('tells of refusals by their code, with the block as it was asked for', async () => {
    const { engine, policyId, send } = await eventWorld();
    const { of } = listening(engine);
    await expect(engine.readBlock(alice, policyId, { tag: 'grid_b' })).rejects.toThrow();
    await expect(send('for_b', false, alice)).rejects.toThrow();
    const facts = { outcome: 'failed', code: 'BLOCK_FORBIDDEN' };
    expect(of('read')).toMatchObject([{ ...facts, block: 'grid_b' }]);
    expect(of('send')).toMatchObject([{ ...facts, block: 'for_b', cause: 'send' }]);
    await engine.close();
  });

  it('tells of units of work and of their commit', async () => {
    const { engine, policyId } = await eventWorld();
    const { of } = listening(engine);
    await engine.sendToBlock(alice, policyId, { tag: 'for_a' }, { keep: true }, { traceparent });
    expect(of('send')).toMatchObject([
      { cause: 'send', policyId, block: 'for_a', blockType: 'noteBlock', attempts: 1, events: 0, traceparent },
    ]);
    expect(of('send')[0]?.changes).toBeGreaterThan(1);
    // One record more: that of the journal's log.
    const written = Number(of('send')[0]?.changes) + 1;
    expect(of('commit')).toMatchObject([{ units: 1, changes: written, traceparents: [traceparent] }]);
    await engine.close();
  });

  it('tells how often a unit ran because another node was faster', async () => {
    const store = new MemoryStore();
    const { engine, send } = await eventWorld({ store });
    const { of } = listening(engine);
    const commit = store.commit.bind(store);
    store.commit = () => {
      store.commit = commit;
      return Promise.reject(new BlockworkError('CONFLICT', { facts: { key: 'k' } }));
    };
    await send('for_a');
    expect(of('send')).toMatchObject([{ outcome: 'done', attempts: 2 }]);
    expect(of('commit')).toMatchObject([{ outcome: 'failed', code: 'CONFLICT' }, { outcome: 'done' }]);
    await engine.close();
  });

  it('keeps the trace in the journal, as a listener has it', async () => {
    const { engine, policyId, send } = await eventWorld();
    await send('for_a', true);
    await engine.sendToBlock(alice, policyId, { tag: 'for_a' }, { keep: true }, { traceparent });
    listening(engine, (name, operation) => {
      if (name === 'send') operation.traceparent = within;
    });
    await engine.sendToBlock(alice, policyId, { tag: 'for_a' }, { keep: true }, { traceparent });
    const { items } = await engine.journal.list(owner, policyId, { from: 'newest', limit: 3 });
    expect(items.map((entry) => entry.traceparent)).toEqual([within, traceparent, undefined]);
    await engine.close();
  });

  it('tells of timers, how late they are, and of the units that they begin', async () => {
    const clock = new SimulatedClock();
    const engine = createEngine({ clock, timers: new SimulatedTimers(clock), blocks: [hourlyBlock] });
    const { policy } = await engine.importPolicy(owner, hourlyPolicy('one'));
    await engine.lifecycle.publish(owner, policy.id, '1.0.0');
    const { of } = listening(engine);
    clock.advance(HOUR + 5000);
    await engine.program.schedule.runDue();
    expect(of('timer')).toMatchObject([{ policyId: policy.id, timerType: 'tick', outcome: 'done' }]);
    expect(of('timer')[0]?.lateMs).toBeGreaterThanOrEqual(5000);
    expect(of('send')).toMatchObject([{ cause: 'tick', block: 'clock', blockType: 'hourly', attempts: 1 }]);
    await engine.close();
  });

  it('tells of nobody, and of nothing that was sent, stored or thrown', async () => {
    const marked = defineBlock({
      type: 'marked',
      title: '',
      description: '',
      kind: 'interface',
      input: z.object({ secret: z.string() }),
      async receive(ctx, { secret }) {
        await ctx.documents.add({ owner: ctx.user.did, document: { secret } });
        if (secret.endsWith('!')) throw new Error(`cannot take ${secret}`);
        return { secret };
      },
      read: (ctx) => Promise.resolve({ me: ctx.user.did, secret: 'a-secret-that-is-read' }),
    });
    const engine = createEngine({ blocks: [marked] });
    const config = block('interfaceContainerBlock', 'root', { children: [block('marked', 'marked')] });
    const { policy } = await engine.importPolicy(owner, { name: 'Marked', config });
    const { heard } = listening(engine);
    await engine.sendToBlock(alice, policy.id, { tag: 'marked' }, { secret: 'a-secret-that-is-sent' });
    await engine.sendToBlock(alice, policy.id, { tag: 'marked' }, { secret: 'a-secret-that-fails!' }).catch(() => null);
    await engine.readBlockText(alice, policy.id, { tag: 'marked' });
    expect(new Set(heard.map(({ name }) => name))).toEqual(new Set(['send', 'commit', 'read']));
    expect(JSON.stringify(heard)).not.toMatch(/a-secret|did:/);
    await engine.close();
  });

  it('can be told apart by engine, and stops when nobody listens', async () => {
    const [one, other] = [await eventWorld({ nodeName: 'one' }), await eventWorld({ nodeName: 'other' })];
    const first = listening(one.engine);
    await one.send('for_a');
    await other.send('for_a');
    expect(first.of('send')).toMatchObject([{ source: { node: 'one', instance: null } }]);
    first.stop();
    await one.send('for_a');
    expect(first.of('send')).toHaveLength(1);
    expect(Object.values(channels).some(({ isHeard }) => isHeard)).toBe(false);
    await one.engine.close();
    await other.engine.close();
  });
});

describe('telemetry of what leaves', () => {
  it('carries the trace to webhooks: as the span of the attempt in the header, as the cause in the event', async () => {
    const posted: { headers: Readonly<Record<string, string>>; body: string }[] = [];
    const answers = [503, 204, 204];
    const webhooks: WebhookSender = {
      refusal: () => null,
      send: ({ headers, body }) => {
        posted.push({ headers, body });
        return Promise.resolve({ status: answers.shift() ?? 204 });
      },
    };
    const clock = new SimulatedClock(Date.now());
    const timers = new SimulatedTimers(clock);
    const { engine, policyId, send } = await eventWorld({ webhooks, clock, timers });
    const webhook = await engine.webhooks.register(owner, policyId, {
      url: 'https://example.org/secret-path?key=1',
    });
    const { of } = listening(engine, (name, operation) => {
      if (name === 'webhook') operation.traceparent = within;
    });
    await engine.sendToBlock(alice, policyId, { tag: 'for_a' }, { keep: true }, { traceparent });
    await engine.program.webhooks.idle();
    timers.advance(3_600_000);
    await engine.program.webhooks.idle();
    const facts = { policyId, webhookId: webhook.id, origin: 'https://example.org' };
    expect(of('webhook')).toMatchObject([
      { ...facts, outcome: 'failed', code: 'STATUS_503', status: 503 },
      { ...facts, outcome: 'done' },
    ]);
    expect(JSON.stringify(of('webhook'))).not.toMatch(/secret-path|whsec/);
    expect(posted.map(({ headers }) => headers['traceparent'])).toEqual([within, within]);
    expect(posted.map(({ body }) => (JSON.parse(body) as { traceparent: string }).traceparent)).toEqual([
      traceparent,
      traceparent,
    ]);
    await send('for_a', true);
    await engine.program.webhooks.idle();
    expect(JSON.parse(posted[2]?.body ?? '')).not.toHaveProperty('traceparent');
    await engine.close();
  });

  it('carries the trace to another instance, into the run there, and back with the answer', async () => {
    const world = await openWorld({ south: { autoApprove: () => true } });
    const [north, south] = [listening(world.north.engine), listening(world.south.engine)];
    const resume = { policyId: votes.id, tag: 'notebook', user: { did: ana.did } };
    await world.north.engine.importPolicy(owners.north, votes);
    await world.north.engine.requests.ask(ana, { ...voteFor('yes'), resume, traceparent });
    await soon(() => expect(north.of('message')).toHaveLength(1));
    expect(north.of('outbox')).toMatchObject([{ topic: 'instance/south', messageType: 'request', traceparent }]);
    expect(south.of('message')).toMatchObject([{ messageType: 'request', from: 'north', traceparent }]);
    expect(south.of('send')).toMatchObject([{ cause: 'request', block: 'ballot', blockType: 'ballot', traceparent }]);
    expect(south.of('outbox')).toMatchObject([{ messageType: 'completed', traceparent }]);
    expect(north.of('message')).toMatchObject([{ messageType: 'completed', from: 'south', traceparent }]);
    expect(north.of('send')).toMatchObject([{ cause: 'request', block: 'notebook', traceparent }]);
    const { items } = await world.south.engine.journal.list(owners.south, votes.id);
    expect(items.at(-1)?.traceparent).toBe(traceparent);
    await world.close();
  });

  it('says why a message was refused, and takes no trace from what nobody signed', async () => {
    const world = await openWorld();
    const { of } = listening(world.south.engine);
    const link = world.connect();
    await link.publish('instance/south', 'not a signed text', 'k');
    await soon(() => expect(of('message')).toHaveLength(1));
    expect(of('message')).toMatchObject([{ outcome: 'failed', code: 'malformed', traceparent: undefined }]);
    await world.close();
  });
});

describe('the backlog', () => {
  it('is empty where nothing waits', async () => {
    const engine = createEngine();
    expect(await engine.program.getBacklog()).toEqual({
      units: { waiting: 0, lanes: 0 },
      outbox: { messages: 0, oldestMs: 0 },
      settlements: 0,
      requests: { open: 0, oldestMs: 0 },
      timers: { lateMs: 0 },
      deadLetters: 0,
      stuck: {},
      isLinkConnected: true,
    });
    await engine.close();
    await expect(engine.program.getBacklog()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  });

  it('counts units that wait for their turn', async () => {
    const { engine, send } = await eventWorld();
    const sent = Array.from({ length: 4 }, () => send('for_a'));
    // They are in the queue once the promise jobs of the calls have run.
    await Promise.resolve();
    const { units } = await engine.program.getBacklog();
    await Promise.all(sent);
    expect(units).toEqual({ waiting: 3, lanes: 1 });
    await engine.close();
  });

  it('tells of requests that nobody decides, with the age of the oldest, and of messages that cannot leave', async () => {
    const world = await openWorld();
    await world.north.engine.requests.ask(ana, voteFor('yes'));
    await world.quiet();
    world.pass(60_000);
    const { requests } = await world.south.engine.program.getBacklog();
    expect(requests).toEqual({ open: 1, oldestMs: 60_000 });
    await world.close();
  });

  it('looks at the store once a second, however often it is asked', async () => {
    const store = new MemoryStore();
    const clock = new SimulatedClock();
    const engine = createEngine({ store, clock });
    let counted = 0;
    const count = store.count.bind(store);
    store.count = (kind, ...where) => {
      if (kind === 'outbox') counted += 1;
      return count(kind, ...where);
    };
    await Promise.all([engine.program.getBacklog(), engine.program.getBacklog()]);
    expect(counted).toBe(1);
    clock.advance(1000);
    await engine.program.getBacklog();
    expect(counted).toBe(2);
    await engine.close();
  });

  it('counts messages that are not sent, and says that the link is down', async () => {
    const store = new MemoryStore();
    const clock = new SimulatedClock(Date.parse('2026-01-01T00:00:10.000Z'));
    const message = { id: 'm', topic: 't', message: {}, createdAt: '2026-01-01T00:00:00.000Z' };
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'outbox', partition: INSTANCE, value: message }] });
    const away = new BlockworkError('LINK_UNAVAILABLE', { facts: { reason: 'away' } });
    const link = {
      publish: () => Promise.reject(away),
      subscribe: () => Promise.reject(away),
      onLoss: () => () => undefined,
      status: () => ({ isConnected: false, reason: 'away', setAside: 0, losses: 0 }),
      close: () => Promise.resolve(),
    };
    const engine = createEngine({ store, clock, timers: new SimulatedTimers(clock), link });
    const { of } = listening(engine);
    await soon(() => expect(of('outbox')).toMatchObject([{ code: 'LINK_UNAVAILABLE', messageType: 'unknown' }]));
    await soon(async () =>
      expect(await engine.program.getBacklog()).toMatchObject({
        outbox: { messages: 1, oldestMs: 10_000 },
        stuck: { outbox: 1 },
        isLinkConnected: false,
      }),
    );
    await engine.close();
  });
});
