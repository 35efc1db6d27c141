import type { DocumentRecord } from '@blockwork/core';
import type { Change, ChangeSet } from '@blockwork/core/adapter';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from '../src/index.js';
import { describeWithDatabase, empty } from '../../../test/support/postgres/database.js';
import { Proxy, type Fate } from '../../../test/support/postgres/proxy.js';

const partition = 'policy';

const document = (id: string, n: number): DocumentRecord => ({
  id,
  policyId: partition,
  dataType: 'vc-documents',
  owner: 'did:example:owner',
  option: {},
  document: { n },
  createDate: '2026-01-01T00:00:00.000Z',
  updateDate: '2026-01-01T00:00:00.000Z',
});
const put = (id: string, n: number): Change => ({ op: 'put', kind: 'document', partition, value: document(id, n) });
const remove = (id: string): Change => ({ op: 'delete', kind: 'document', partition, id });

/** Marks the bytes of a commit, so that the proxy recognizes them. */
const marker = 'marked';
const unguarded: ChangeSet = { expect: {}, changes: [put(marker, 1)] };
const guarded: ChangeSet = { expect: { k: 0 }, changes: [put(marker, 1)] };
const deleting: ChangeSet = { expect: { k: 0 }, changes: [put(marker, 1), remove('old')] };

await describeWithDatabase('A commit whose connection breaks', (database) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
  });
  beforeEach(() => empty(database));

  /** A store behind a proxy that applies `fates` in turn to the chunks that contain the marker. */
  async function behindProxy(
    fates: Fate[],
    options: Partial<PostgresStoreOptions> = {},
  ): Promise<[PostgresStore, Proxy]> {
    const fate = (bytes: Buffer): Fate => (bytes.includes(marker) ? (fates.shift() ?? 'pass') : 'pass');
    const proxy = await Proxy.open(database.address(), { fate });
    const address = database.address({ host: proxy.host });
    const store = await openPostgresStore({
      address,
      patienceMs: 60_000,
      connectMs: 60_000,
      readConnections: 1,
      ...options,
    });
    closing.push(
      () => store.close(),
      () => proxy.close(),
    );
    return [store, proxy];
  }

  /**
   * Locks the row of a revision until `release`. Statements that waited for it then fail to serialize, though its value
   * is the same.
   */
  async function heldRevision(): Promise<{ waiting: () => Promise<void>; release: () => Promise<unknown> }> {
    await database.query(`begin; update blockwork.revision set number = number where key = 'k'`);
    const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return {
      waiting: async () => {
        while ((await database.query(blocked)).length === 0);
      },
      release: () => database.query('commit'),
    };
  }

  it('is retried after a serialization failure, even if the time for retries is over', async () => {
    const store = await openPostgresStore({ address: database.address(), patienceMs: 0 });
    closing.push(() => store.close());
    await store.commit(guarded);
    const heldLock = await heldRevision();
    const committing = store.commit({ expect: { k: 1 }, changes: [put('another', 2)] });
    await heldLock.waiting();
    await heldLock.release();
    await committing;
    expect(await store.revision('k')).toBe(2);
    expect(await store.count('document', partition)).toBe(2);
  });

  const statements = async (): Promise<number> =>
    Number((await database.query<{ sum: string }>('select sum(number) from blockwork.lane'))[0]?.sum);

  for (const [name, changeSet] of Object.entries({ guarded, unguarded, deleting })) {
    it(`is applied once if its answer is lost (${name})`, async () => {
      const [store, proxy] = await behindProxy(['cut after']);
      await store.commit(changeSet);
      expect(proxy.cuts).toBe(1);
      expect(await store.count('document', partition)).toBe(1);
      expect(await store.revision('k')).toBe(changeSet === unguarded ? 0 : 1);
      // The statement itself advanced the lane, and was not sent again; a transaction may break between its statements.
      if (changeSet !== deleting) expect(await statements()).toBe(1);
    });

    it(`is sent again if it did not arrive (${name})`, async () => {
      const [store, proxy] = await behindProxy(['cut before', 'cut before']);
      await store.commit(changeSet);
      expect(proxy.cuts).toBe(2);
      expect(await store.count('document', partition)).toBe(1);
      expect(await store.revision('k')).toBe(changeSet === unguarded ? 0 : 1);
    });

    it(`is applied once if the connection breaks while the database executes it (${name})`, async () => {
      const [store, proxy] = await behindProxy(['cut', 'cut', 'cut']);
      await store.commit(changeSet);
      expect(proxy.cuts).toBeGreaterThan(0);
      expect(await store.count('document', partition)).toBe(1);
      expect(await store.revision('k')).toBe(changeSet === unguarded ? 0 : 1);
    });
  }

  it('has no effect if it arrives after it was given up', async () => {
    const [store, proxy] = await behindProxy(['hold']);
    await store.commit(unguarded);
    await store.commit({ expect: {}, changes: [put(marker, 2)] });
    const before = await statements();
    proxy.release();
    // It has arrived once the database has answered with its failure.
    await proxy.answered;
    expect(await store.get('document', partition, marker)).toMatchObject({ document: { n: 2 } });
    expect(await statements()).toBe(before);
  });

  it('is settled individually if it shares a statement with others', async () => {
    const [store] = await behindProxy(['cut after']);
    await store.commit({ expect: { taken: 0 }, changes: [] });
    const outcomes = await Promise.allSettled([
      store.commit(guarded),
      store.commit({ expect: { taken: 0 }, changes: [put('b', 1)] }),
      store.commit({ expect: { other: 0 }, changes: [put('c', 1)] }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'CONFLICT', facts: { key: 'taken' } } });
    expect((await store.find('document', partition)).map(({ id }) => id)).toEqual([marker, 'c']);
  });

  it('is not reported as failed while its outcome is unknown', async () => {
    const [store, proxy] = await behindProxy(['hold'], { outcomeMs: 50, patienceMs: 0 });
    const committing = store.commit(guarded);
    const refused = expect(committing).rejects.toMatchObject({
      code: 'COMMIT_UNKNOWN',
      message: expect.stringContaining('its outcome could not be determined') as string,
      retryable: false,
    });
    await proxy.cut;
    proxy.isAway = true;
    await refused;
    proxy.isAway = false;
    // The late statement is applied after all, and a caller that reads and retries sees it.
    proxy.release();
    await proxy.answered;
    await expect(store.commit(guarded)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await store.revision('k')).toBe(1);
  });

  it('leaves nothing behind if the database stays unavailable', async () => {
    const [store, proxy] = await behindProxy([], { patienceMs: 50 });
    await store.commit({ expect: {}, changes: [put('a', 1)] });
    proxy.isAway = true;
    // Once this gives up, the store has noticed that its connections are lost.
    await expect(store.get('document', partition, 'a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(store.commit(guarded)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
    proxy.isAway = false;
    expect(await store.get('document', partition, marker)).toBeUndefined();
    await store.commit(guarded);
    expect(await store.revision('k')).toBe(1);
  });

  it('is applied by another lane if the database has lost the row of its lane', async () => {
    const [store] = await behindProxy([]);
    await store.commit({ expect: { k: 0 }, changes: [put('a', 1)] });
    await database.query('delete from blockwork.lane');
    await store.commit({ expect: { k: 1 }, changes: [put('a', 2)] });
    await database.query('update blockwork.lane set number = number - 1');
    await store.commit({ expect: { k: 2 }, changes: [put('a', 3)] });
    expect(await store.revision('k')).toBe(3);
    expect(await store.get('document', partition, 'a')).toMatchObject({ document: { n: 3 } });
  });

  it('is refused if an intermediary weakens the isolation level', async () => {
    const rewrite = (bytes: Buffer): Buffer =>
      Buffer.from(bytes.toString('latin1').replace('repeatable read\0', 'read committed \0'), 'latin1');
    const proxy = await Proxy.open(database.address(), { fate: () => 'pass', rewrite });
    const store = await openPostgresStore({ address: database.address({ host: proxy.host }) });
    closing.push(
      () => store.close(),
      () => proxy.close(),
    );
    await expect(store.commit(guarded)).rejects.toThrow('transactions do not see one moment');
    expect(await store.revision('k')).toBe(0);
  });
});
