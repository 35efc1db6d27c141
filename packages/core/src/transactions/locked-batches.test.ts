import { isBlockworkError } from '../errors.js';
import type { DocumentRecord } from '../records/kinds.js';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { turn } from '../../test/background.js';
import { LockingStore } from '../../test/locking-store.js';
import { Executor } from './executor.js';
import { lanes, revisionKeys, type RevisionKey } from './revision-keys.js';

const KEY = revisionKeys.policy.of('p');
const OTHER = revisionKeys.webhooks.of('p');
const LANE = lanes.policy.of('p');

async function world() {
  const store = new LockingStore(KEY);
  const clock = new SimulatedClock();
  const timers = new SimulatedTimers(clock);
  const commits = { committed: () => undefined };
  const executor = new Executor({ store, commits, limits: { conflictRetries: 3 }, batchTimes: { clock, timers } });
  const ended: string[] = [];
  const put = (id: string, until: Promise<void> = Promise.resolve(), keys: RevisionKey[] = [KEY]): void => {
    const work = executor.run(LANE, keys, async (unit) => {
      await until;
      if (id.startsWith('read')) return;
      unit.put('document', 'p', { id, option: {}, document: {} } as unknown as DocumentRecord);
    });
    work.then(
      ({ attempts }) => ended.push(`${id} ${String(attempts)}`),
      (error: unknown) => ended.push(`${id} ${isBlockworkError(error) ? error.code : String(error)}`),
    );
  };
  const turns = async (): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await turn();
  };
  // Another process has written, and the first unit conflicts.
  put('first');
  await turns();
  await store.foreign({ expect: { [KEY]: 0 }, changes: [] });
  await store.apply();
  await turns();
  expect([ended.splice(0), store.ends.splice(0)]).toEqual([['first 2'], [1]]);
  return { store, clock, timers, put, turns, ended, executor };
}

it('units that wait are committed together under one lock, which is asked for in the name of their lane', async () => {
  const { store, put, turns, ended } = await world();
  for (const id of ['a', 'b', 'read', 'c']) put(id);
  await turns();
  expect([ended, store.ends]).toEqual([['a 1', 'b 1', 'read 1', 'c 1'], [3]]);
  const alsoRead = [revisionKeys.definition.of('p')];
  expect(store.requests.at(-1)).toEqual({ queue: LANE, keys: [KEY], alsoRead });
});

it('a lock that has ended, by a commit or without one, leaves no timer behind', async () => {
  const { store, timers, put, turns } = await world();
  const before = timers.pending.length;
  put('a');
  await turns();
  put('read');
  await turns();
  expect([store.ends, timers.pending.length]).toEqual([[1, 'released'], before]);
});

it('a batch has at most 64 units, and the rest waits for the next lock', async () => {
  const { store, put, turns } = await world();
  for (let n = 0; n < 100; n += 1) put(`d${String(n)}`);
  for (let n = 0; n < 10; n += 1) await turns();
  expect(store.ends).toEqual([64, 36]);
});

it('no unit starts in a batch after a second', async () => {
  const { store, clock, put, turns } = await world();
  let go = (): void => undefined;
  put('a', new Promise((resolve) => (go = resolve)));
  put('b');
  await turns();
  clock.advance(1_000);
  go();
  await turns();
  expect(store.ends).toEqual([1, 1]);
});

it('a lock that no unit has used for writing is released', async () => {
  const { store, put, turns, ended } = await world();
  put('read');
  await turns();
  expect([ended, store.ends]).toEqual([['read 1'], ['released']]);
});

it.each(['read', 'a'])('a unit runs again if its lock was lost: %s', async (id) => {
  const { store, put, turns, ended } = await world();
  store.isLost = true;
  put(id);
  await turns();
  expect([ended, store.ends]).toEqual([[`${id} 2`], ['refused', id === 'read' ? 'released' : 1]]);
});

it('a unit that takes longer than three seconds gives up the lock, after those before it were committed', async () => {
  const { store, timers, put, turns, ended } = await world();
  let go = (): void => undefined;
  put('a');
  put('slow', new Promise((resolve) => (go = resolve)));
  await turns();
  expect(ended).toEqual([]);
  timers.advance(3_000);
  await turns();
  expect([ended, store.ends]).toEqual([['a 1'], [1]]);
  go();
  await turns();
  await store.apply();
  await turns();
  expect(ended).toEqual(['a 1', 'slow 1']);
});

it('a unit with other keys waits until the batch has ended', async () => {
  const { store, put, turns, ended } = await world();
  put('a');
  put('both', undefined, [KEY, OTHER]);
  put('b');
  await turns();
  expect([ended, store.ends]).toEqual([
    ['a 1', 'both 1', 'b 1'],
    [1, 1, 1],
  ]);
  expect(store.requests.map(({ keys }) => keys).slice(1)).toEqual([[KEY], [KEY, OTHER], [KEY]]);
});

it('a task waits until the batch has ended', async () => {
  const { store, put, turns, executor } = await world();
  put('a');
  const task = executor.runTask(LANE, () => Promise.resolve([...store.ends]));
  await turns();
  expect(await task).toEqual([1]);
});

it('a unit for which there is no lock runs without one', async () => {
  const { store, put, turns, ended } = await world();
  store.isAvailable = false;
  put('a');
  await turns();
  await store.apply();
  await turns();
  expect([ended, store.ends]).toEqual([['a 1'], []]);
});

it('locks end when nobody else wants them any more', async () => {
  const { store, put, turns } = await world();
  store.isWanted = false;
  for (let n = 0; n < 20; n += 1) {
    put(`d${String(n)}`);
    await turns();
    await store.apply();
    await turns();
  }
  expect(store.ends).toHaveLength(16);
});
