import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { Client } from 'pg';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Letters } from '@blockwork/core/adapter';
import { openPostgresStore, type PostgresStore } from '../src/index.js';
import { parseKey, newKey, seal, unseal } from '../src/coordination/sealed-notes.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import { Proxy, type Fate } from '../../../test/support/postgres/proxy.js';

const uuid = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';
const patient = { timeout: 60_000, interval: 5 };

/** The texts that a node is notified of; `look` if it has to take its letters. */
async function hear(letters: Letters, nodeId: string): Promise<string[]> {
  const calls: string[] = [];
  onTestFinished(letters.subscribe(nodeId, (texts) => calls.push(...(texts ?? ['look']))));
  // The first notification follows as soon as the node listens.
  await vi.waitFor(() => expect(calls).toContain('look'), patient);
  calls.length = 0;
  return calls;
}

await describeWithDatabase('Letters in the database', (database) => {
  const opened: PostgresStore[] = [];
  const open = async (timers?: SimulatedTimers): Promise<Letters> => {
    const store = await openPostgresStore({ address: database.address(), ...(timers && { timers }) });
    opened.push(store);
    if (store.coordination.letters === undefined) throw new Error('this database carries notifications');
    return store.coordination.letters;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    await database.query('delete from blockwork.letter');
  });
  const rows = async (): Promise<string[]> =>
    (await database.query<{ id: string }>('select id from blockwork.letter order by id')).map(({ id }) => id);
  /** The nodes `a b`, which has sent a request, and `b`, which has received it. */
  const asked = async (timers?: SimulatedTimers) => {
    const [asking, answering] = [await open(timers), await open()];
    const calls = await hear(asking, 'a b');
    await asking.send([{ id: 'question', to: 'b', text: 'q', from: 'a b', isAwaited: true }]);
    expect(await answering.take('b')).toEqual(['q']);
    return { asking, answering, calls };
  };

  it('carry a reply in the notification, and the next statement deletes its row', async () => {
    const { asking, answering, calls } = await asked();
    await answering.send([{ id: 'reply', to: 'a b', text: 'answer\n\0\ud800', isReply: true }]);
    await vi.waitFor(() => expect(calls).toEqual(['answer\n\0\ud800']), patient);
    expect(await rows()).toContain('reply');
    await asking.send([{ id: 'next', to: 'b', text: 'q', isAwaited: true }]);
    expect(await rows()).not.toContain('reply');
    expect(await asking.take('a b')).toEqual([]);
  });

  it('do not deliver a reply twice to a node that takes its letters', async () => {
    const { asking, answering, calls } = await asked();
    await answering.send([{ id: 'reply', to: 'a b', text: 'answer', isReply: true }]);
    await vi.waitFor(() => expect(calls).toEqual(['answer']), patient);
    expect(await asking.take('a b')).toEqual([]);
    expect(await rows()).not.toContain('reply');
  });

  it('leave no row behind for the last reply delivered by notification', async () => {
    const timers = new SimulatedTimers(new SimulatedClock());
    const { answering, calls } = await asked(timers);
    await answering.send([{ id: 'reply', to: 'a b', text: 'answer', isReply: true }]);
    await vi.waitFor(() => expect(calls).toEqual(['answer']), patient);
    timers.advance(1_000);
    await vi.waitFor(async () => expect(await rows()).not.toContain('reply'), patient);
  });

  it('keep a reply for a node that has missed the notification', async () => {
    const [asking, answering] = [await open(), await open()];
    const end = asking.subscribe('a', () => undefined);
    await asking.send([{ id: 'question', to: 'b', text: 'q', from: 'a', isAwaited: true }]);
    await answering.take('b');
    end();
    await answering.send([{ id: 'reply', to: 'a', text: 'answer', isReply: true }]);
    expect(await asking.take('a')).toEqual(['answer']);
  });

  it('reach a node that subscribes while the doorbell is connecting', async () => {
    const late: { letters?: Letters | undefined } = {};
    const calls: string[] = [];
    const fate = (bytes: Buffer): Fate => {
      if (bytes.includes('listen "blockwork_blockwork"')) late.letters?.subscribe('late', () => calls.push('look'));
      return 'pass';
    };
    const proxy = await Proxy.open(database.address(), { fate });
    onTestFinished(() => proxy.close());
    const store = await openPostgresStore({ address: database.address({ host: proxy.host }) });
    opened.push(store);
    late.letters = store.coordination.letters;
    store.doorbell.subscribe(() => undefined);
    await vi.waitFor(() => expect(calls).toEqual(['look']), patient);
    await (await open()).send([{ id: 'question', to: 'late', text: 'q' }]);
    await vi.waitFor(() => expect(calls).toEqual(['look', 'look']), { timeout: 5_000, interval: 5 });
  });

  it('have to be taken if they do not fit, are not replies, or reply to an unknown node', async () => {
    const { asking, answering, calls } = await asked();
    const other = await hear(asking, 'c');
    const large = 'é'.repeat(4_000);
    await answering.send([{ id: '1', to: 'a b', text: large, isReply: true }]);
    await vi.waitFor(() => expect(calls).toEqual(['look']), patient);
    await answering.send([{ id: '2', to: 'a b', text: 'question' }]);
    await vi.waitFor(() => expect(calls).toEqual(['look', 'look']), patient);
    await answering.send([{ id: '3', to: 'c', text: 'answer', isReply: true }]);
    await vi.waitFor(() => expect(other).toEqual(['look']), patient);
    expect(await asking.take('a b')).toEqual([large, 'question']);
    expect(await asking.take('c')).toEqual(['answer']);
  });

  it('hide replies from other listeners, and trust no forged or replayed notification', async () => {
    const { answering, calls } = await asked();
    const stranger = new Client({ connectionString: database.address() });
    onTestFinished(() => stranger.end());
    await stranger.connect();
    const overheard: { channel: string; payload: string }[] = [];
    stranger.on('notification', ({ channel, payload = '' }) => overheard.push({ channel, payload }));
    const listening = `select query from pg_stat_activity where query like 'listen "blockwork\\_%' and datname = current_database()`;
    for (const { query } of (await stranger.query<{ query: string }>(listening)).rows) await stranger.query(query);
    await answering.send([{ id: 'reply', to: 'a b', text: 'a secret', isReply: true }]);
    await vi.waitFor(() => expect(calls).toEqual(['a secret']), patient);
    await vi.waitFor(() => expect(overheard).not.toEqual([]), patient);
    const [{ channel, payload } = { channel: '', payload: '' }] = overheard;
    expect(payload).not.toContain('secret');
    expect(Buffer.from(payload, 'base64').toString('latin1')).not.toContain('secret');
    await stranger.query('select pg_notify($1, $2)', [channel, payload]);
    await answering.send([{ id: 'another', to: 'a b', text: 'another secret', isReply: true }]);
    await vi.waitFor(() => expect(calls).toContain('another secret'), patient);
    expect(calls).toEqual(['a secret', 'another secret']);
    for (const forged of ['["told"]', seal(newKey(), { id: 'x', text: 'tforged' }, uuid) ?? '', payload.slice(0, -8)]) {
      calls.length = 0;
      await stranger.query('select pg_notify($1, $2)', [channel, forged]);
      await vi.waitFor(() => expect(calls).toEqual(['look']), patient);
    }
  });
});

it('a sealed note can be opened only with its key, and fits into a notification', () => {
  const key = newKey();
  const note = { id: 'i', text: 'x'.repeat(5_898) };
  const sealed = seal(key, note, uuid) ?? '';
  expect(sealed.length).toBeLessThan(8_000);
  expect(unseal(key, sealed)).toEqual(note);
  expect(unseal(newKey(), sealed)).toBeNull();
  expect(seal(key, { ...note, text: `${note.text}x` }, uuid)).toBeNull();
  expect(seal(key, { id: 'i', text: 'é'.repeat(3_000) }, uuid)).toBeNull();
  expect(unseal(key, '')).toBeNull();
  expect(parseKey(key.toString('base64'))).toEqual(key);
  expect(parseKey('short')).toBeNull();
});
