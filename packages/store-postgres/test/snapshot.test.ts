import type { DocumentRecord } from '@blockwork/core';
import type { Change } from '@blockwork/core/adapter';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openPostgresStore, type PostgresStore } from '../src/index.js';
import { describeWithDatabase, empty } from '../../../test/support/postgres/database.js';
import { Proxy } from '../../../test/support/postgres/proxy.js';

const partition = 'policy';
const put = (id: string, type: string, more: object = {}): Change => {
  const value = { id, policyId: partition, dataType: 'vc-documents', type, option: {}, document: {}, ...more };
  return { op: 'put', kind: 'document', partition, value: value as unknown as DocumentRecord };
};
const isX = { path: 'type', op: 'eq', value: 'x' } as const;

await describeWithDatabase('A store on PostgreSQL', (database) => {
  let store: PostgresStore;
  let other: PostgresStore;
  beforeAll(async () => {
    store = await openPostgresStore({ address: database.address(), readConnections: 3 });
    other = await openPostgresStore({ address: database.address(), readConnections: 1 });
  });
  afterEach(() => empty(database));
  afterAll(() => Promise.all([store.close(), other.close()]));

  it('reads a consistent snapshot', async () => {
    await store.commit({ expect: { [partition]: 0 }, changes: [put('a', 'x'), put('b', 'x')] });
    const ids = await store.snapshot(async (reader) => {
      const page = await reader.find('document', partition, { where: isX, limit: 10 });
      await other.commit({
        expect: { [partition]: 1 },
        changes: [put('c', 'x'), { op: 'delete', kind: 'document', partition, id: 'a' }],
      });
      return {
        page: page.map(({ id }) => id),
        total: await reader.count('document', partition, isX),
        revision: await reader.revision(partition),
        record: (await reader.get('document', partition, 'a'))?.id,
        // Decided on the records themselves.
        looked: (await reader.find('document', partition, { where: { path: 'document.n', op: 'eq', value: null } }))
          .length,
      };
    });
    expect(ids).toEqual({ page: ['a', 'b'], total: 2, revision: 1, record: 'a', looked: 2 });
    expect((await store.find('document', partition)).map(({ id }) => id)).toEqual(['b', 'c']);
  });

  it('rejects with the failure of a snapshot, and returns its connection', async () => {
    for (let n = 0; n < 10; n += 1) {
      await expect(store.snapshot(() => Promise.reject(new Error('of the caller')))).rejects.toThrow('of the caller');
    }
    expect(await store.snapshot((reader) => reader.revision('k'))).toBe(0);
  });

  it('rejects with STORE_UNAVAILABLE if the connection of a snapshot breaks', async () => {
    const proxy = await Proxy.open(database.address(), { fate: () => 'pass' });
    const behind = await openPostgresStore({ address: database.address({ host: proxy.host }), readConnections: 1 });
    const breaking = behind.snapshot(async (reader) => {
      await reader.revision('k');
      proxy.isAway = true;
      return reader.revision('k');
    });
    await expect(breaking).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
    proxy.isAway = false;
    expect(await behind.revision('k')).toBe(0);
    await behind.close();
    await proxy.close();
  });

  it('cancels an aborted snapshot together with its running statement', async () => {
    const stop = new AbortController();
    const blocked = await other.snapshot(async () => {
      // A transaction that locks the table blocks the reader.
      await database.query('begin; lock table blockwork.document in access exclusive mode');
      const blockedRead = store.snapshot((reader) => reader.find('document', partition), { signal: stop.signal });
      const isWaiting = async (): Promise<boolean> => (await waitingBackends()) > 0;
      while (!(await isWaiting()));
      stop.abort(new Error('nobody waits'));
      await expect(blockedRead).rejects.toThrow('nobody waits');
      while (await isWaiting());
      await database.query('rollback');
      return true;
    });
    expect(blocked).toBe(true);
    await expect(store.snapshot(() => Promise.resolve(1), { signal: stop.signal })).rejects.toThrow('nobody waits');
    expect(await store.snapshot((reader) => reader.count('document', partition))).toBe(0);
  });

  const waitingBackends = async (): Promise<number> =>
    (
      await database.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).length;

  it('cancels a statement that exceeds its time limit', async () => {
    const hasty = await openPostgresStore({ address: database.address(), readConnections: 1, statementMs: 100 });
    await database.query('begin; lock table blockwork.document in access exclusive mode');
    await expect(hasty.find('document', partition)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('statement timeout') as string,
    });
    await database.query('rollback');
    // On a busy machine any statement may take longer than that.
    await vi.waitFor(async () => expect(await hasty.find('document', partition)).toEqual([]), { timeout: 60_000 });
    await hasty.close();
  });

  it('returns the time of the database clock', async () => {
    const [row] = await database.query<{ now: string }>('select extract(epoch from clock_timestamp()) * 1000 as now');
    const now = await store.now();
    expect(Number.isInteger(now)).toBe(true);
    expect(now).toBeGreaterThanOrEqual(Math.floor(Number(row?.now)));
    expect(now - Number(row?.now)).toBeLessThan(60_000);
  });

  it('returns consecutive pages while others write', async () => {
    const all = Array.from({ length: 40 }, (_, n) => `d${n}`);
    await store.commit({ expect: {}, changes: all.map((id, n) => put(id, 'x', { createDate: `2026-${n % 7}` })) });
    const order = { path: 'createDate', direction: 'desc' } as const;
    for (const query of [{ where: isX }, { where: isX, order }, {}]) {
      const whole = (await store.find('document', partition, query)).map(({ id }) => id);
      const page = async (offset: number): Promise<string[]> =>
        (await store.find('document', partition, { ...query, offset, limit: 5 })).map(({ id }) => id);
      expect(await page(5)).toEqual(whole.slice(5, 10));
      expect(await page(10)).toEqual(whole.slice(10, 15));
      // Another node adds and removes rows before the page, expecting no revision, so the last anchor is stale.
      const [removedId = ''] = whole;
      await other.commit({ expect: {}, changes: [{ op: 'delete', kind: 'document', partition, id: removedId }] });
      expect(await page(15)).toEqual(whole.slice(16, 21));
      await other.commit({ expect: {}, changes: [put(removedId, 'y')] });
      expect(await page(20)).toEqual(
        (await store.find('document', partition, query)).slice(20, 25).map(({ id }) => id),
      );
    }
  });
});
