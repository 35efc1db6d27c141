/** Promises about snapshots: consistent reads at one point in time. */
import type { StoreReader } from '@blockwork/core/adapter';
import { expect } from 'vitest';
import { snapshotPromise, type ConformanceCase } from './conformance-case.js';
import { commit, doc, partition, put, remove } from './sample-records.js';

const everythingIn = async (reader: StoreReader): Promise<unknown> => ({
  found: (await reader.find('document', partition)).map(({ id }) => id),
  page: (await reader.find('document', partition, { offset: 1, limit: 1 })).map(({ id }) => id),
  total: await reader.count('document', partition),
  first: await reader.get('document', partition, 'a'),
  revision: await reader.revision('k'),
});

export const snapshotting: readonly ConformanceCase[] = [
  snapshotPromise('shows one moment for as long as a snapshot is read', async (store, snapshot) => {
    await commit(store, put('a', { n: 0 }), put('b'), put('c'));
    let turn = 0;
    const [expected, before, after] = await snapshot(async (reader) => {
      turn += 1;
      const now = await everythingIn(store);
      const first = await everythingIn(reader);
      const k = await store.revision('k');
      const last = String.fromCharCode('c'.charCodeAt(0) + turn);
      await store.commit({ expect: { k }, changes: [put('a', { n: turn }), remove('b'), put(last)] });
      return [now, first, await everythingIn(reader)];
    });
    expect([before, after]).toEqual([expected, expected]);
    expect(await everythingIn(store)).not.toEqual(expected);
  }),
  snapshotPromise('shows everything that was acknowledged before a snapshot begins', async (store, snapshot) => {
    for (let total = 1; total <= 20; total += 1) {
      await commit(store, put(`d${String(total)}`));
      expect(await snapshot((reader) => reader.count('document', partition))).toBe(total);
    }
  }),
  snapshotPromise('rejects a snapshot with what its reading rejects with, and goes on', async (store, snapshot) => {
    await commit(store, put('a'));
    const failing = snapshot(async (reader) => {
      await reader.count('document', partition);
      throw new RangeError('enough');
    });
    await expect(failing).rejects.toThrow(new RangeError('enough'));
    expect(await snapshot((reader) => reader.get('document', partition, 'a'))).toEqual(doc('a'));
  }),
];
