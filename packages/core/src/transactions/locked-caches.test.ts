/** Units that run under a lock read what is cached at the revisions that the lock holds. */
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { expect, it, vi } from 'vitest';
import { turn } from '../../test/background.js';
import { LockingStore } from '../../test/locking-store.js';
import type { DocumentRecord } from '../records/kinds.js';
import { RecordCaches } from './cache/record-caches.js';
import { Executor } from './executor.js';
import { lanes, revisionKeys } from './revision-keys.js';
import type { UnitOfWork } from './unit-of-work.js';

const KEY = revisionKeys.policy.of('p');
const DEFINITION = revisionKeys.definition.of('p');

async function world() {
  const store = new LockingStore(KEY);
  const clock = new SimulatedClock();
  const caches = new RecordCaches({ keptRecordBytes: 1_000_000 });
  const executor = new Executor({
    ...{ store, caches, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } },
    batchTimes: { clock, timers: new SimulatedTimers(clock) },
  });
  const turns = async (): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await turn();
  };
  const run = async <T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T> => {
    const ran = executor.run(lanes.policy.of('p'), [KEY], work);
    await turns();
    await store.apply();
    return (await ran).result;
  };
  const put = async (unit: UnitOfWork, id: string): Promise<number> => {
    const before = await unit.count('document', 'p');
    unit.put('document', 'p', { id, option: {}, document: {} } as unknown as DocumentRecord);
    return before;
  };
  const add = (id: string) => run((unit) => put(unit, id));
  await add('a');
  const conflicting = executor.run(lanes.policy.of('p'), [KEY], (unit) => put(unit, 'b'));
  // The first conflict only says that the cache is out of date; after the second one the lane is contended.
  for (let conflicts = 0; conflicts < 2; conflicts += 1) {
    await turns();
    await store.foreign({ expect: { [KEY]: await store.revision(KEY) }, changes: [] });
    await store.apply();
  }
  expect((await conflicting).attempts).toBe(3);
  return { store, caches, run, add, turns };
}

it('a unit under a lock asks the store for nothing that the one before has read or written', async () => {
  const { store, run, add, caches } = await world();
  await add('c');
  const locks = store.requests.length;
  const before = await add('d');
  expect(store.requests.length).toBe(locks + 1);
  const asked = (['get', 'find', 'count'] as const).map((name) => vi.spyOn(store, name));
  const revision = vi.spyOn(store, 'revision');
  const seen = await run(async (unit) => {
    const asksOfLock = revision.mock.calls.length;
    const read = [
      await unit.count('document', 'p'),
      (await unit.get('document', 'p', 'c'))?.id,
      (await unit.find('document', 'p')).length,
      await unit.revision(KEY),
      await unit.revision(DEFINITION),
    ];
    expect(revision.mock.calls.length).toBe(asksOfLock);
    return read;
  });
  expect(seen).toEqual([before + 1, 'c', before + 1, await store.revision(KEY), 0]);
  expect(asked.map(({ mock }) => mock.calls)).toEqual([[], [], []]);
  expect(caches.presumedRevision(KEY)).toBe(await store.revision(KEY));
});

it('what another process wrote before the lock is read from the store', async () => {
  const { store, add, run } = await world();
  const before = await add('c');
  const value = { id: 'foreign', option: {}, document: {} } as unknown as DocumentRecord;
  const change = { op: 'put', kind: 'document', partition: 'p', value } as const;
  await store.foreign({ expect: { [KEY]: await store.revision(KEY) }, changes: [change] });
  expect(await run((unit) => unit.count('document', 'p'))).toBe(before + 2);
});
