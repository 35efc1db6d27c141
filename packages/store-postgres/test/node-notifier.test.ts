import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { NotifiedNames } from '@blockwork/core/adapter';
import { openPostgresStore, type PostgresStore } from '../src/index.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import { Proxy } from '../../../test/support/postgres/proxy.js';

/** The notifications that a store receives, in order. */
interface Hearing {
  readonly heard: NotifiedNames[];
  readonly next: () => Promise<NotifiedNames>;
}

function listenTo(store: PostgresStore): Hearing {
  const heard: NotifiedNames[] = [];
  let taken = 0;
  store.notifier.subscribe((notified) => heard.push(notified));
  return {
    heard,
    next: async () => {
      await vi.waitFor(() => expect(heard.length).toBeGreaterThan(taken), { timeout: 60_000, interval: 5 });
      return heard[taken++] ?? 'all';
    },
  };
}

await describeWithDatabase('The notifier', (database) => {
  const opened: PostgresStore[] = [];
  const open = async (options: Partial<Parameters<typeof openPostgresStore>[0]> = {}): Promise<PostgresStore> => {
    const store = await openPostgresStore({ address: database.address(), readConnections: 1, ...options });
    opened.push(store);
    return store;
  };
  let proxy: Proxy;
  beforeAll(async () => {
    proxy = await Proxy.open(database.address(), { fate: () => 'pass' });
  });
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));
  afterAll(() => proxy.close());

  it('notifies the other nodes, but not the one that rang', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const [hearing, own] = [listenTo(other), listenTo(one)];
    expect([await hearing.next(), await own.next()]).toEqual(['all', 'all']);
    one.notifier.notify('policy-1', 'timer');
    expect(await hearing.next()).toEqual(new Set(['policy-1', 'timer']));
    other.notifier.notify('back');
    expect(await own.next()).toEqual(new Set(['back']));
    expect(own.heard).toHaveLength(2);
  });

  it('batches notifications in quick succession', async () => {
    const timers = new SimulatedTimers(new SimulatedClock());
    const [one, other] = [await open({ timers }), await open()];
    const [hearing, own] = [listenTo(other), listenTo(one)];
    await Promise.all([hearing.next(), own.next()]);
    for (let n = 0; n < 100; n += 1) one.notifier.notify('same', `n${n % 3}`);
    timers.advance(10);
    expect(await hearing.next()).toEqual(new Set(['same', 'n0', 'n1', 'n2']));
    one.notifier.notify('last');
    timers.advance(10);
    expect(await hearing.next()).toEqual(new Set(['last']));
  });

  it('accepts any text as a name, and notifies of everything if there are too many names', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const hearing = listenTo(other);
    await hearing.next();
    const odd = ['', '*', '\0', '\ud800', "'; drop schema blockwork; --", 'ü'];
    one.notifier.notify(...odd);
    expect(await hearing.next()).toEqual(new Set(odd));
    one.notifier.notify(...Array.from({ length: 600 }, (_, n) => `policy-${n}`));
    expect(await hearing.next()).toBe('all');
    one.notifier.notify('x'.repeat(9000));
    expect(await hearing.next()).toBe('all');
  });

  it('works again after its connection was lost, and then notifies of everything', async () => {
    const [one, other, third] = [
      await open(),
      await open({ address: database.address({ host: proxy.host }) }),
      await open(),
    ];
    const [hearing, elsewhere] = [listenTo(other), listenTo(third)];
    expect(await hearing.next()).toBe('all');
    await elsewhere.next();
    proxy.isAway = true;
    one.notifier.notify('missed');
    // Sent while the connection is away, not after it is back.
    expect(await elsewhere.next()).toEqual(new Set(['missed']));
    proxy.isAway = false;
    expect(await hearing.next()).toBe('all');
    one.notifier.notify('heard');
    expect(await hearing.next()).toEqual(new Set(['heard']));
  });

  it('warns once while the database is unavailable, and logs when it is back', async () => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const hearing = listenTo(await open({ address: database.address({ host: proxy.host }), logger }));
    await hearing.next();
    proxy.isAway = true;
    const unheard = ['Listening for notifications of the database failed.', expect.objectContaining({ attempt: 4 })];
    await vi.waitFor(() => expect(logger.debug.mock.calls).toContainEqual(unheard), { timeout: 60_000, interval: 5 });
    proxy.isAway = false;
    expect(await hearing.next()).toBe('all');
    const messages = [...logger.warn.mock.calls, ...logger.info.mock.calls].map(([message]) => message as string);
    expect(messages).toEqual([
      'Listening for notifications of the database failed.',
      'Listening for notifications of the database again.',
    ]);
  });

  it('keeps notifications while the database is unavailable', async () => {
    const [one, other] = [await open({ address: database.address({ host: proxy.host }) }), await open()];
    const [hearing, own] = [listenTo(other), listenTo(one)];
    await Promise.all([hearing.next(), own.next()]);
    proxy.isAway = true;
    one.notifier.notify('kept');
    proxy.isAway = false;
    expect(await hearing.next()).toEqual(new Set(['kept']));
  });

  it('notifies all listeners although one of them fails, or another client notifies', async () => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const [one, other] = await Promise.all([open(), open({ logger })]);
    const end = other.notifier.subscribe(() => {
      throw new Error('of the listener');
    });
    const hearing = listenTo(other);
    await hearing.next();
    await database.query(`select pg_notify('blockwork_blockwork', 'no JSON')`);
    expect(await hearing.next()).toBe('all');
    expect(logger.error).toHaveBeenCalled();
    end();
    logger.error.mockClear();
    one.notifier.notify('x');
    await hearing.next();
    expect(logger.error).not.toHaveBeenCalled();
  });

  it('does nothing once the store is closed', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const hearing = listenTo(one);
    await hearing.next();
    await one.close();
    other.notifier.notify('late');
    one.notifier.notify('later');
    const last = listenTo(await open());
    await last.next();
    other.notifier.notify('end');
    await last.next();
    expect(hearing.heard).toEqual(['all']);
  });

  it.each([
    ['refuses to listen', 'lixxxx "'],
    ['accepts to listen, but delivers nothing', 'listen "elsewhere_'],
  ])('is mute on a server that %s', async (_, listening) => {
    const deaf = (bytes: Buffer): Buffer =>
      Buffer.from(
        bytes.toString('latin1').replace(/listen "(.{10})/g, (all) => listening.padEnd(all.length, 'x')),
        'latin1',
      );
    const behind = await Proxy.open(database.address(), { fate: () => 'pass', rewrite: deaf });
    onTestFinished(() => behind.close());
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const store = await open({ address: database.address({ host: behind.host }), logger });
    const connected = vi.spyOn(Client.prototype, 'connect');
    onTestFinished(() => connected.mockRestore());
    const hearing = listenTo(store);
    store.notifier.notify('policy-1');
    expect(connected).not.toHaveBeenCalled();
    const number = await store.revision('k');
    await store.commit({ expect: { k: number }, changes: [] });
    expect(await store.revision('k')).toBe(number + 1);
    expect(hearing.heard).toEqual([]);
    expect(logger.warn.mock.calls).toEqual([[expect.stringContaining('LISTEN and NOTIFY'), expect.anything()]]);
  });
});
