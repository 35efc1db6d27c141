/**
 * Promises about locks on revisions. A store may lose a lock with its connection, and then commits nothing under it, so each
 * use of a lock is repeated until it has succeeded.
 */
import { isBlockworkError } from '@blockwork/core';
import type { LockRequest, PolicyStore, RevisionLock } from '@blockwork/core/adapter';
import { expect } from 'vitest';
import { lockPromise, type ConformanceCase, type TakeLock } from './conformance-case.js';
import { ids, partition, put } from './sample-records.js';

/** The key under which the records of the partition are written. */
const key = partition;
const request: LockRequest = { queue: 'q', keys: [key], alsoRead: ['other'] };
const isConflict = (error: unknown): boolean => isBlockworkError(error, 'CONFLICT');

/** Uses a lock, another one if the store lost it. */
async function withLock<T>(take: TakeLock, use: (lock: RevisionLock) => Promise<T>): Promise<T> {
  for (;;) {
    const lock = await take(request);
    try {
      return await use(lock);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

/** Revision 1 of the key, which can be locked then. */
const begin = (store: PolicyStore): Promise<void> => store.commit({ expect: { [key]: 0 }, changes: [] });

/** Puts a record on top of the lock's revision. */
const add = (lock: RevisionLock, id: string): Promise<void> =>
  lock.commit([{ expect: { [key]: lock.revisions.get(key) ?? 0 }, changes: [put(id)] }]);

export const locking: readonly ConformanceCase[] = [
  lockPromise('tells with a lock the revisions that it asked for', async (store, take) => {
    await begin(store);
    await store.commit({ expect: { [key]: 1, other: 0 }, changes: [] });
    await withLock(take, async (lock) => {
      expect([...lock.revisions]).toEqual([
        [key, 2],
        ['other', 1],
      ]);
      expect(lock.history).toBe(store.history?.id);
      await lock.release();
    });
  }),
  lockPromise('has no lock for a key that no commit has named', async (store) => {
    expect(await store.lock?.(request)).toBeNull();
    await begin(store);
    expect(await store.lock?.({ queue: 'q', keys: [key, 'unknown'] })).toBeNull();
  }),
  lockPromise('commits a chain under a lock', async (store, take) => {
    await begin(store);
    await withLock(take, (lock) => {
      const k = lock.revisions.get(key) ?? 0;
      return lock.commit([
        { expect: { [key]: k }, changes: [put('a')] },
        { expect: { [key]: k + 1 }, changes: [put('b')] },
      ]);
    });
    expect([await ids(store), await store.revision(key)]).toEqual([['a', 'b'], 3]);
  }),
  lockPromise('changes nothing under a lock whose commit expects other revisions', async (store, take) => {
    await begin(store);
    await expect((await take(request)).commit([{ expect: { [key]: 0 }, changes: [put('a')] }])).rejects.toSatisfy(
      isConflict,
    );
    expect([await ids(store), await store.revision(key)]).toEqual([[], 1]);
  }),
  lockPromise('gives a lock to one at a time, so that no commit under it is refused', async (store, take) => {
    await begin(store);
    const all = Array.from({ length: 12 }, (_, n) => `r${String(n)}`);
    await Promise.all(all.map((id) => withLock(take, (lock) => add(lock, id))));
    expect([(await ids(store)).sort(), await store.revision(key)]).toEqual([all.sort(), 13]);
  }),
  lockPromise('tells whether another process wanted the lock', async (store, take) => {
    await begin(store);
    await withLock(take, async (first) => {
      expect(first.hasWaited).toBe(false);
      const second = take(request);
      try {
        await first.release();
      } finally {
        // Held on, it would keep out the next attempt.
        await (await second).release().catch(() => undefined);
      }
    });
  }),
  lockPromise('makes commits of others wait while a lock is held, and reads not', async (store, take) => {
    await begin(store);
    for (let turn = 0; turn < 5; turn += 1) {
      const before = await store.revision(key);
      const lock = await take(request);
      const k = lock.revisions.get(key) ?? 0;
      const other = store.commit({ expect: { [key]: k }, changes: [put(`other${String(turn)}`)] });
      const refused = other.then(
        () => false,
        (error: unknown) => isConflict(error),
      );
      expect(await store.get('document', partition, `own${String(turn)}`)).toBeUndefined();
      expect(await store.revision(key)).toBe(before);
      const isOwn = await add(lock, `own${String(turn)}`).then(
        () => true,
        (error: unknown) => {
          if (!isConflict(error)) throw error;
          return false;
        },
      );
      // Exactly one of the two is refused: the holder only if the store has lost its lock.
      expect(await refused).toBe(isOwn);
      expect(await store.revision(key)).toBe(before + 1);
    }
  }),
  lockPromise('commits nothing under a lock that has ended', async (store, take) => {
    await begin(store);
    const lock = await take(request);
    await lock.release().catch(() => undefined);
    await expect(add(lock, 'late')).rejects.toSatisfy(isConflict);
    expect([await ids(store), await store.revision(key)]).toEqual([[], 1]);
  }),
];

/** Promises about host work, which is committed under locks. */
export const hosting: readonly ConformanceCase[] = [
  lockPromise('commits host work together with the change sets, once these are known to fit', async (store, take) => {
    await begin(store);
    let runs = 0;
    await withLock(take, (lock) =>
      lock.commit([{ expect: { [key]: lock.revisions.get(key) ?? 0 }, changes: [put('a')] }], async () => {
        runs += 1;
        expect(await ids(store)).toEqual([]);
      }),
    );
    expect(runs).toBeGreaterThan(0);
    expect(await ids(store)).toEqual(['a']);
    const count = runs;
    const early = (await take(request)).commit([{ expect: { [key]: 1 }, changes: [] }], async () => {
      runs += 1;
      return Promise.resolve();
    });
    await expect(early).rejects.toSatisfy(isConflict);
    expect([await store.revision(key), runs]).toEqual([2, count]);
  }),
  lockPromise('changes nothing under a lock if host work fails, and rejects with its error', async (store, take) => {
    await begin(store);
    const error = new Error('the program says so');
    const failing = withLock(take, (lock) =>
      lock.commit([{ expect: { [key]: 1 }, changes: [put('a')] }], () => Promise.reject(error)),
    );
    await expect(failing).rejects.toBe(error);
    expect([await ids(store), await store.revision(key)]).toEqual([[], 1]);
  }),
];
