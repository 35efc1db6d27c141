import { BlockworkError } from '../errors.js';
import { MemoryLink } from '../memory/link/memory-link.js';
import { MemoryLinkHub } from '../memory/link/memory-link-hub.js';
import { Inspections, type Inspection } from '../telemetry/inspections.js';
import { INSTANCE, type Json, type OutboxMessage } from '@blockwork/core/records';
import { describe, expect, it, vi } from 'vitest';
import { simulatedWorld, turn } from '../../test/background.js';
import { SimulatedCluster } from '../../test/cluster-nodes.js';
import { MessageOutbox, type MessageOutboxDeps } from './message-outbox.js';

/** An outbox on a link whose `publish` can be made to fail, message by message. */
function world(more: Partial<MessageOutboxDeps> = {}) {
  const around = simulatedWorld();
  const { store, clock, timers } = around;
  const hub = new MemoryLinkHub({ clock });
  const link = new MemoryLink({ hub, timers });
  const publish = link.publish.bind(link);
  const attempts: string[] = [];
  const failing = new Set<string>();
  link.publish = (topic, body, id) => {
    attempts.push(id);
    return failing.has(id) ? Promise.reject(new Error('the link is down')) : publish(topic, body, id);
  };
  const seen: Inspection[] = [];
  const inspections = new Inspections({ inspector: (inspection) => void seen.push(inspection) });
  const outbox = new MessageOutbox({ ...around, link, inspections, ...more });
  const put = async (...ids: string[]): Promise<void> => {
    const changes = ids.map((id) => {
      const value = { id, topic: 'instance/south', message: { says: id }, createdAt: '2026-01-01T00:00:00.000Z' };
      return { op: 'put', kind: 'outbox', partition: INSTANCE, value } as const;
    });
    await store.commit({ expect: {}, changes });
    outbox.committed({ expect: {}, changes });
  };
  const storedIds = async () => (await store.find('outbox', INSTANCE)).map(({ id }) => id);
  const published = (): Json[] => {
    const bodies: Json[] = [];
    for (let after: string | null = null; ;) {
      const message = hub.next('instance/south', after);
      if (message === undefined) return bodies;
      bodies.push(message.body);
      after = message.messageId;
    }
  };
  return { ...around, outbox, put, storedIds, published, attempts, failing, inspections: seen };
}

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `m${String(at).padStart(3, '0')}`);

/** Two messages to an envelope. */
const inPairs: MessageOutboxDeps['seal'] = (messages, isAlone) => {
  const envelopes: { messages: OutboxMessage[]; body: Json[] }[] = [];
  for (const message of messages) {
    const last = envelopes.at(-1);
    const hasRoom = last?.messages.length === 1 && !isAlone(message) && last.messages.every((each) => !isAlone(each));
    const envelope = hasRoom ? last : { messages: [], body: ['sealed'] };
    if (envelope !== last) envelopes.push(envelope);
    envelope.messages.push(message);
    envelope.body.push(message.message);
  }
  return Promise.resolve(envelopes);
};

describe('the message outbox', () => {
  it('sends what was committed, in order, deletes it and reports it', async () => {
    const { outbox, put, storedIds, published, inspections } = world();
    await put('a', 'b');
    await put('c');
    await outbox.idle();
    expect(published()).toEqual([{ says: 'a' }, { says: 'b' }, { says: 'c' }]);
    expect(await storedIds()).toEqual([]);
    expect(inspections).toEqual(['a', 'b', 'c'].map((id) => ({ type: 'outbox.sent', id, topic: 'instance/south' })));
  });

  it('reads some of what waits at a time, and each message once where it is alone', async () => {
    const { outbox, store, put, published } = world();
    const find = vi.spyOn(store, 'find');
    const get = vi.spyOn(store, 'get');
    await put(...names(250));
    await outbox.idle();
    expect(published()).toHaveLength(250);
    const read = await Promise.all(find.mock.results.map(({ value }) => value as Promise<unknown[]>));
    // Those that are being deleted are read once more.
    expect(Math.max(...read.map(({ length }) => length))).toBeLessThanOrEqual(200);
    expect(get).not.toHaveBeenCalled();
  });

  it('sends after the start what was left by the process before', async () => {
    const { outbox, store, published } = world();
    const value = { id: 'old', topic: 'instance/south', message: 1, createdAt: '' };
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'outbox', partition: INSTANCE, value }] });
    outbox.start();
    await outbox.idle();
    expect(published()).toEqual([1]);
  });

  it('seals each message just before it is sent', async () => {
    const { outbox, put, storedIds, published } = world({ seal: inPairs });
    await put('a');
    await outbox.idle();
    expect([published(), await storedIds()]).toEqual([[['sealed', { says: 'a' }]], []]);
  });

  it('publishes what is in one envelope at once, under a key of all of it, and reports and deletes each message', async () => {
    const { outbox, put, storedIds, published, attempts, inspections } = world({ seal: inPairs });
    await put('a', 'b', 'c');
    await outbox.idle();
    expect(published()).toEqual([
      ['sealed', { says: 'a' }, { says: 'b' }],
      ['sealed', { says: 'c' }],
    ]);
    expect(inspections.map((inspection) => 'id' in inspection && inspection.id)).toEqual(['a', 'b', 'c']);
    expect(await storedIds()).toEqual([]);
    const other = world({ seal: inPairs });
    await other.put('a', 'b', 'x');
    await other.outbox.idle();
    expect(attempts[0]).toBe(other.attempts[0]);
    expect([attempts[0], attempts[1]]).toEqual([expect.stringMatching(/^batch\//), 'c']);
  });

  it('sends what was in an envelope that failed in envelopes of their own, so that one that is refused holds up no other', async () => {
    const { outbox, put, storedIds, published, attempts, failing, toNextWakeUp } = world({ seal: inPairs });
    const pairing = world({ seal: inPairs });
    await pairing.put('a', 'b');
    await pairing.outbox.idle();
    failing.add(pairing.attempts[0] ?? '').add('b');
    await put('a', 'b');
    await outbox.idle();
    expect(await storedIds()).toEqual(['a', 'b']);
    await toNextWakeUp(outbox);
    expect([published(), await storedIds(), attempts.slice(1)]).toEqual([
      [['sealed', { says: 'a' }]],
      ['b'],
      ['a', 'b'],
    ]);
  });

  it('sends any number of messages, each once', async () => {
    const { outbox, put, storedIds, attempts } = world();
    await put(...names(250));
    await outbox.idle();
    expect([attempts, await storedIds()]).toEqual([names(250), []]);
  });

  it('retries a failed message with exponential backoff, and keeps no other waiting', async () => {
    const { outbox, put, storedIds, failing, attempts, inspections, toNextWakeUp } = world();
    failing.add('a');
    await put('a', 'b');
    await outbox.idle();
    expect(await storedIds()).toEqual(['a']);
    const pauses = [];
    for (let n = 0; n < 10; n += 1) pauses.push(await toNextWakeUp(outbox));
    expect(pauses).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    expect(attempts.filter((id) => id === 'a')).toHaveLength(11);
    expect(inspections.at(-1)).toEqual({ type: 'outbox.failed', id: 'a', topic: 'instance/south', attempts: 11 });
    failing.clear();
    await toNextWakeUp(outbox);
    expect([await storedIds(), await toNextWakeUp(outbox)]).toEqual([[], undefined]);
  });

  it('gets through to later messages behind any number of failed ones', async () => {
    const { outbox, put, storedIds, failing, published } = world();
    for (const id of names(250)) failing.add(id);
    await put(...names(250));
    await put('last');
    await outbox.idle();
    expect([published(), (await storedIds()).length]).toEqual([[{ says: 'last' }], 250]);
  });

  it('forgets a failed message that another process has sent', async () => {
    const { outbox, put, store, failing, attempts, toNextWakeUp } = world();
    failing.add('a');
    await put('a');
    await outbox.idle();
    await store.commit({ expect: {}, changes: [{ op: 'delete', kind: 'outbox', partition: INSTANCE, id: 'a' }] });
    expect([await toNextWakeUp(outbox), await toNextWakeUp(outbox)]).toEqual([200, undefined]);
    expect(attempts).toEqual(['a']);
  });

  it('reads the store again when it has failed, and sends what is there', async () => {
    const { outbox, put, store, published, toNextWakeUp } = world();
    store.isDown = true;
    outbox.start();
    await outbox.idle();
    expect([await toNextWakeUp(outbox), await toNextWakeUp(outbox)]).toEqual([200, 400]);
    store.isDown = false;
    await put('a');
    await outbox.idle();
    expect(published()).toEqual([{ says: 'a' }]);
  });

  it('sends a message again, under the same key, where it could not be deleted', async () => {
    const { outbox, put, store, storedIds, attempts, published, toNextWakeUp } = world();
    const commit = store.commit.bind(store);
    let failures = 1;
    store.commit = (changeSet) => {
      const isDeletion = changeSet.changes.some(({ op }) => op === 'delete');
      return isDeletion && (failures -= 1) >= 0 ? Promise.reject(new Error('the disk is full')) : commit(changeSet);
    };
    await put('a');
    await outbox.idle();
    expect(await storedIds()).toEqual(['a']);
    expect(await toNextWakeUp(outbox)).toBe(200);
    expect([attempts, published(), await storedIds()]).toEqual([['a', 'a'], [{ says: 'a' }], []]);
  });

  it.each([
    [4, 1],
    [5, 2],
  ])(
    'deletes again where another node deletes of the same topic (%i times), and at last sends again',
    async (times, sent) => {
      const { outbox, put, storedIds, attempts, store, toNextWakeUp } = world();
      const commit = store.commit.bind(store);
      let conflicts = times;
      store.commit = (changeSet) => {
        const isDeletion = changeSet.changes.some(({ op }) => op === 'delete');
        if (!isDeletion || (conflicts -= 1) < 0) return commit(changeSet);
        return Promise.reject(new BlockworkError('CONFLICT', { facts: { key: 'outbox' } }));
      };
      await put('a');
      await outbox.idle();
      expect(await storedIds()).toEqual(sent === 1 ? [] : ['a']);
      await toNextWakeUp(outbox);
      expect([await storedIds(), attempts]).toEqual([[], Array.from({ length: sent }, () => 'a')]);
    },
  );

  it('deletes while it sends the next batch', async () => {
    const { outbox, put, store, attempts } = world();
    const commit = store.commit.bind(store);
    const releases: (() => void)[] = [];
    store.commit = (changeSet) =>
      changeSet.changes.some(({ op }) => op === 'delete')
        ? new Promise<void>((resolve) => releases.push(resolve)).then(() => commit(changeSet))
        : commit(changeSet);
    await put(...names(150));
    while (attempts.length < 150) await turn();
    let isIdle = false;
    const idle = outbox.idle().then(() => (isIdle = true));
    await turn();
    expect([releases.length, isIdle, attempts]).toEqual([1, false, names(150)]);
    for (let turns = 0; turns < 20; turns += 1) {
      releases.shift()?.();
      await turn();
    }
    await idle;
  });

  it('deletes what is sent within a moment together', async () => {
    const { outbox, put, store, storedIds, attempts, timers } = world();
    const commit = vi.spyOn(store, 'commit');
    const deletions = () => commit.mock.calls.filter(([{ changes }]) => changes.some(({ op }) => op === 'delete'));
    for (const id of ['a', 'b', 'c']) {
      await put(id);
      while (!attempts.includes(id)) await turn();
      await turn();
    }
    expect([deletions(), await storedIds()]).toEqual([[], ['a', 'b', 'c']]);
    timers.advance(20);
    while ((await storedIds()).length > 0) await turn();
    expect([deletions().length, attempts]).toEqual([1, ['a', 'b', 'c']]);
    await outbox.stop();
  });

  it('deletes what it has sent before it stops', async () => {
    const { outbox, put, storedIds, attempts } = world();
    await put('a');
    while (attempts.length === 0) await turn();
    await outbox.stop();
    expect([attempts, await storedIds()]).toEqual([['a'], []]);
  });

  it('sends nothing more once it is stopped, and ends what is under way', async () => {
    const { outbox, put, storedIds, failing, timers, attempts } = world();
    failing.add('a');
    await put('a', 'b');
    await outbox.stop();
    await put('c');
    await outbox.idle();
    expect([attempts, await storedIds(), timers.pending]).toEqual([['a', 'b'], ['a', 'c'], []]);
  });

  it('sends no message again that the node before has sent between the read and the claim', async () => {
    const node = new SimulatedCluster().join('a');
    const { store } = node;
    const link = new MemoryLink({ hub: new MemoryLinkHub({ clock: node.clock }), timers: node.timers });
    const sent: string[] = [];
    const publish = link.publish.bind(link);
    link.publish = (topic, body, id) => {
      sent.push(id);
      return publish(topic, body, id);
    };
    const rows = ['a', 'b'].map((id) => ({ id, topic: 'instance/south', message: { says: id }, createdAt: '' }));
    const changes = rows.map((value) => ({ op: 'put', kind: 'outbox', partition: INSTANCE, value }) as const);
    await store.commit({ expect: {}, changes });
    const take = store.coordination.takeLeases.bind(store.coordination);
    store.coordination.takeLeases = async (...claims) => {
      await store.commit({ expect: {}, changes: [{ op: 'delete', kind: 'outbox', partition: INSTANCE, id: 'a' }] });
      return take(...claims);
    };
    const outbox = new MessageOutbox({ ...node, link, inspections: new Inspections({}) });
    outbox.wake();
    await outbox.idle();
    expect([sent, await store.find('outbox', INSTANCE)]).toEqual([['b'], []]);
    await outbox.stop();
  });
});
