import { BlockworkError, isBlockworkError } from '../errors.js';
import type { DocumentRecord } from '../records/kinds.js';
import type { HostWork } from '@blockwork/core/adapter';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { turn } from '../../test/background.js';
import { LockingStore } from '../../test/locking-store.js';
import { Executor } from './executor.js';
import { lanes, revisionKeys } from './revision-keys.js';

const KEY = revisionKeys.policy.of('p');
const LANE = lanes.policy.of('p');

function world() {
  const store = new LockingStore(KEY);
  const clock = new SimulatedClock();
  const batchTimes = { clock, timers: new SimulatedTimers(clock) };
  const committed: number[] = [];
  const commits = {
    committed: ({ expect: { [KEY]: revision = -1 } }: { expect: Readonly<Record<string, number>> }) =>
      void committed.push(revision),
  };
  const executor = new Executor({ store, commits, limits: { conflictRetries: 3 }, batchTimes });
  const ended: string[] = [];
  const send = (id: string, work?: HostWork, partition = 'p'): void => {
    const run = executor.run(LANE, [KEY], (unit) => {
      if (!id.startsWith('nothing'))
        unit.put('document', partition, { id, option: {}, document: {} } as unknown as DocumentRecord);
      unit.hostWork = work;
      return Promise.resolve();
    });
    run.then(
      ({ attempts }) => ended.push(`${id} ${String(attempts)}`),
      (error: unknown) => ended.push(`${id} ${isBlockworkError(error) ? error.code : String(error)}`),
    );
  };
  /** Lets everything happen, and the store apply each commit. */
  const settle = async (): Promise<void> => {
    for (let n = 0; n < 40; n += 1) {
      await turn();
      await store.apply();
    }
  };
  const ids = async (): Promise<string[]> => (await store.find('document', 'p')).map(({ id }) => id);
  return { store, executor, send, settle, ended, committed, ids };
}

it('host work runs under a lock of its own, before anything of its unit is visible', async () => {
  const { store, send, settle, ended, ids } = world();
  const seen: string[][] = [];
  send('a', async () => void seen.push(await ids()));
  await settle();
  expect([ended, seen, await ids()]).toEqual([['a 1'], [[]], ['a']]);
  expect(store.requests).toEqual([{ queue: LANE, keys: [KEY] }]);
});

it('a unit that changes nothing is committed, too, since its host work is', async () => {
  const { store, send, settle, ended, committed } = world();
  send('nothing', () => Promise.resolve());
  await settle();
  expect([ended, committed, await store.revision(KEY)]).toEqual([['nothing 1'], [0], 1]);
});

it('units with host work are committed alone, in their order', async () => {
  const { store, send, settle, ended, committed } = world();
  const order: string[] = [];
  for (const id of ['a', 'b', 'c*', 'd*', 'e', 'f']) {
    send(id, id.endsWith('*') ? () => Promise.resolve(void order.push(id)) : undefined);
  }
  await settle();
  expect([ended, order]).toEqual([
    ['a 1', 'b 1', 'c* 1', 'd* 1', 'e 1', 'f 1'],
    ['c*', 'd*'],
  ]);
  expect([store.ends, committed]).toEqual([
    [1, 1],
    [0, 1, 2, 3, 4, 5],
  ]);
});

it('host work that fails takes nothing with it but its unit; units that have read that run again', async () => {
  const { store, send, settle, ended, committed, ids } = world();
  send('a');
  send('b*', () => Promise.reject(new Error('no credit')));
  send('c');
  await settle();
  expect(ended.sort()).toEqual(['a 1', 'b* Error: no credit', 'c 2']);
  expect([await ids(), committed, await store.revision(KEY)]).toEqual([['a', 'c'], [0, 1], 2]);
});

it('host work runs again with its unit after a conflict, up to the limit', async () => {
  const { store, send, settle, ended } = world();
  let runs = 0;
  const conflict = new BlockworkError('CONFLICT', { facts: { key: KEY } });
  send('a', () => ((runs += 1), runs < 3 ? Promise.reject(conflict) : Promise.resolve()));
  await settle();
  expect([ended, runs]).toEqual([['a 3'], 3]);
  send('b', () => ((runs += 1), Promise.reject(conflict)));
  await settle();
  expect([ended.at(-1), runs, await store.revision(KEY)]).toEqual(['b CONFLICT', 7, 1]);
});

it('host work does not begin if another process has written since the unit began', async () => {
  const { store, send, settle, ended } = world();
  let runs = 0;
  let isFirst = true;
  const lock = store.lock.bind(store);
  store.lock = async (request) => {
    if (isFirst) await store.foreign({ expect: { [KEY]: 0 }, changes: [] });
    isFirst = false;
    return lock(request);
  };
  send('a', () => Promise.resolve(void (runs += 1)));
  await settle();
  expect([ended, runs]).toEqual([['a 2'], 1]);
});

it('where units run under a lock, host work is committed under it if its unit comes first', async () => {
  const { store, send, settle, ended } = world();
  store.isLost = true;
  send('x', () => Promise.resolve());
  await settle();
  store.requests.splice(0);
  store.ends.splice(0);
  send('a*', () => Promise.resolve());
  send('b');
  await settle();
  expect(ended).toEqual(['x 2', 'a* 1', 'b 1']);
  expect(store.ends[0]).toBe(1);
  expect(store.requests[0]?.alsoRead).toEqual([revisionKeys.definition.of('p')]);
});

it('the lock includes every partition that the unit writes to', async () => {
  const { store, send, settle, ended } = world();
  send('a', () => Promise.resolve(), 'elsewhere');
  await settle();
  expect(store.requests).toEqual([{ queue: LANE, keys: [KEY, 'elsewhere'] }]);
  expect(ended).toEqual(['a 1']);
});

it('without a lock, nothing is committed, and the unit fails', async () => {
  const { store, send, settle, ended } = world();
  store.lock = () => Promise.resolve(null);
  let runs = 0;
  send('a', () => Promise.resolve(void (runs += 1)));
  await settle();
  expect([ended, runs, await store.revision(KEY)]).toEqual([['a STORE_UNAVAILABLE'], 0, 0]);
});
