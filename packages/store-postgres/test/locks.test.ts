/** Locks on revisions, as this database has them: what ends them, and who waits for whom. */
import type { RevisionLock } from '@blockwork/core/adapter';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openPostgresStore, type PostgresStore } from '../src/index.js';
import { describeWithDatabase, empty } from '../../../test/support/postgres/database.js';
import { Proxy } from '../../../test/support/postgres/proxy.js';

await describeWithDatabase('Locks in the database', (database) => {
  const opened: PostgresStore[] = [];
  const open = async (options: object = {}): Promise<PostgresStore> => {
    // Time for a machine that is busy: what a short one does is asked for where it is tested.
    const patient = { lockIdleMs: 600_000, lockWaitMs: 600_000 };
    const store = await openPostgresStore({ address: database.address(), ...patient, ...options });
    opened.push(store);
    return store;
  };
  let store: PostgresStore;
  beforeEach(async () => {
    store = await open();
    await store.commit({ expect: { k: 0 }, changes: [] });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
    await empty(database);
  });

  const take = async (of: PostgresStore): Promise<RevisionLock> => {
    const lock = await of.lock({ queue: 'q', keys: ['k'] });
    if (lock === null) throw new Error('There is no lock.');
    return lock;
  };
  const add = (lock: RevisionLock): Promise<void> =>
    lock.commit([{ expect: { k: lock.revisions.get('k') ?? 0 }, changes: [] }]);
  const lockWaits = (): Promise<object[]> =>
    database.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

  it('are given in the order of the requests, across processes', async () => {
    const [other, third] = [await open(), await open()];
    const first = await take(store);
    const order: string[] = [];
    const ask = async (name: string, of: PostgresStore): Promise<void> => {
      const lock = await take(of);
      order.push(name);
      expect(lock.hasWaited).toBe(true);
      await add(lock);
    };
    const all: Promise<void>[] = [];
    for (const [name, of] of [['a', other] as const, ['b', third] as const, ['c', other] as const]) {
      all.push(ask(name, of));
      await vi.waitUntil(async () => (await lockWaits()).length === all.length, { timeout: 60_000 });
    }
    await add(first);
    // The node that has just committed asks again, and is the last.
    all.push(ask('d', store));
    await Promise.all(all);
    expect(order).toEqual(['a', 'b', 'c', 'd']);
    expect(await store.revision('k')).toBe(6);
  });

  it('are taken from a process that stands still, which commits nothing under them any more', async () => {
    const still = await open({ lockIdleMs: 50 });
    const lock = await take(still);
    const next = await take(store);
    await add(next);
    await expect(add(lock)).rejects.toMatchObject({ code: 'CONFLICT' });
    const reader = await take(still);
    const after = await take(store);
    await after.release();
    await expect(reader.release()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await store.revision('k')).toBe(2);
  });

  it('are free when the connection of their process ends', async () => {
    const lock = await take(await open());
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`;
    await database.query(end);
    await add(await take(store));
    await expect(add(lock)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await store.revision('k')).toBe(2);
  });

  it('make a commit wait that takes none, which is then refused, whoever asked first', async () => {
    const lock = await take(store);
    const other = (await open()).commit({ expect: { k: 1 }, changes: [] });
    const refused = expect(other).rejects.toMatchObject({ code: 'CONFLICT' });
    await vi.waitUntil(async () => (await lockWaits()).length === 1, { timeout: 60_000 });
    await add(lock);
    await refused;
    expect(await store.revision('k')).toBe(2);
  });

  it('are refused after the time to wait for them', async () => {
    const lock = await take(store);
    const impatient = await open({ lockWaitMs: 20 });
    await expect(take(impatient)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await add(lock);
    await (await take(impatient)).release();
  });

  it('end without a commit of their own if that is about other revisions, too', async () => {
    const lock = await take(store);
    const next = take(store);
    await lock.commit([{ expect: { other: 0 }, changes: [] }]);
    await add(await next);
    expect([await store.revision('k'), await store.revision('other')]).toEqual([2, 1]);
  });

  it('leave no connection behind that breaks while what does not fit is rolled back', async () => {
    const proxy = await Proxy.open(database.address(), {
      fate: (bytes) => (bytes.includes('rollback') ? 'cut before' : 'pass'),
    });
    const broken = await open({ address: database.address({ host: proxy.host }), lockConnections: 1 });
    const late = (await take(broken)).commit([{ expect: { k: 9 }, changes: [] }], () => Promise.resolve());
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' });
    // The only connection for locks is another one now.
    await (await take(broken)).release();
    expect(proxy.cuts).toBe(1);
    await broken.close();
    await proxy.close();
  });

  it('of different schemas do not concern each other', async () => {
    const elsewhere = await open({ schema: 'elsewhere' });
    await elsewhere.commit({ expect: { k: 0 }, changes: [] });
    const lock = await take(store);
    await (await take(elsewhere)).release();
    await lock.release();
    await database.query('drop schema elsewhere cascade');
  });
});
