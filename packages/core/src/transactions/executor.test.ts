import { BlockworkError } from '../errors.js';
import { MemoryStore } from '../memory/store/memory-store.js';
import { INSTANCE, type Timer } from '@blockwork/core/records';
import { FaultyStore } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import type { ChangeSet } from '../ports/index.js';
import { channels } from '../telemetry/index.js';
import { Executor } from './executor.js';
import { lanes, revisionKeys } from './revision-keys.js';
import type { UnitOfWork } from './unit-of-work.js';

const KEY = revisionKeys.policy.of('one');
const LANE = lanes.policy.of('one');

const timer = (id: string, due: number): Timer => ({ id, type: 'tick', policyId: 'one', due, tag: 'clock' });

function world(conflictRetries = 3) {
  const store = new FaultyStore(new MemoryStore());
  const heard: ChangeSet[] = [];
  const commits = { committed: (changeSet: ChangeSet) => void heard.push(changeSet) };
  const executor = new Executor({ store, commits, limits: { conflictRetries } });
  /** Another process commits under the same key. */
  const interfere = async (): Promise<void> => {
    const revision = await store.revision(KEY);
    const change = { op: 'put', kind: 'timer', partition: INSTANCE, value: timer('other', revision) } as const;
    await store.commit({ expect: { [KEY]: revision }, changes: [change] });
  };
  const dueOf = async (id: string): Promise<number | undefined> => (await store.get('timer', INSTANCE, id))?.due;
  return { store, heard, executor, interfere, dueOf };
}

/** Adds one to the timer `mine`, from what the unit sees. */
async function count(unit: UnitOfWork): Promise<number> {
  const due = ((await unit.get('timer', INSTANCE, 'mine'))?.due ?? 0) + 1;
  unit.put('timer', INSTANCE, timer('mine', due));
  return due;
}

describe('the executor', () => {
  it('commits what a unit changed, and tells of it once', async () => {
    const { executor, heard, dueOf } = world();
    expect(await executor.run(LANE, [KEY], count)).toEqual({ result: 1, changes: 1, attempts: 1 });
    expect(await dueOf('mine')).toBe(1);
    expect(heard).toMatchObject([{ expect: { [KEY]: 0 }, changes: [{ op: 'put', value: { id: 'mine' } }] }]);
  });

  it('commits in the history in which the unit has read', async () => {
    const store = Object.assign(new MemoryStore(), { history: { id: 'one', subscribe: () => () => undefined } });
    const heard: ChangeSet[] = [];
    const commits = { committed: (changeSet: ChangeSet) => void heard.push(changeSet) };
    await new Executor({ store, commits, limits: { conflictRetries: 3 } }).run(LANE, [KEY], count);
    expect(heard).toMatchObject([{ history: 'one', isFinal: true }]);
    const { executor, heard: withoutHistory } = world();
    await executor.run(LANE, [KEY], count);
    expect(withoutHistory[0]).not.toHaveProperty('history');
  });

  it('commits nothing, and tells of nothing, where nothing changed', async () => {
    const { executor, heard, store } = world();
    const reading = executor.run(LANE, [KEY], (unit) => unit.count('timer', INSTANCE));
    expect(await reading).toEqual({ result: 0, changes: 0, attempts: 1 });
    expect(heard).toEqual([]);
    expect(await store.revision(KEY)).toBe(0);
  });

  it('tells telemetry of commits, and of nothing where there was none to make', async () => {
    const operations: unknown[] = [];
    const stop = channels.commit.subscribe({ end: (operation) => void operations.push(operation) });
    const { executor } = world();
    await executor.run(LANE, [KEY], (unit) => unit.count('timer', INSTANCE));
    expect(operations).toEqual([]);
    await executor.run(LANE, [KEY], (unit) => {
      unit.traceparent = 'its cause';
      return count(unit);
    });
    stop();
    expect(operations).toMatchObject([{ units: 1, changes: 1, traceparents: ['its cause'] }]);
  });

  it('runs a unit again from the start where another process was faster', async () => {
    const { executor, interfere, heard, dueOf } = world();
    let runs = 0;
    const done = executor.run(LANE, [KEY], async (unit) => {
      const result = await count(unit);
      if ((runs += 1) <= 2) await interfere();
      return result;
    });
    expect(await done).toEqual({ result: 1, changes: 1, attempts: 3 });
    expect(await dueOf('mine')).toBe(1);
    expect(heard).toHaveLength(1);
  });

  it('gives up after as many retries as its limit says, and leaves nothing of the unit behind', async () => {
    const { executor, interfere, heard, dueOf } = world(3);
    let runs = 0;
    const done = executor.run(LANE, [KEY], async (unit) => {
      runs += 1;
      await count(unit);
      await interfere();
    });
    await expect(done).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(runs).toBe(4);
    expect(heard).toEqual([]);
    expect(await dueOf('mine')).toBeUndefined();
  });

  it('succeeds with its last attempt', async () => {
    const { executor, interfere } = world(3);
    let runs = 0;
    const done = executor.run(LANE, [KEY], async (unit) => {
      await count(unit);
      if ((runs += 1) <= 3) await interfere();
    });
    expect(await done).toMatchObject({ attempts: 4 });
  });

  it('does not run a unit again for any other failure, be it of the work or of the store', async () => {
    const { executor, store, heard } = world();
    let runs = 0;
    const counted = async (unit: UnitOfWork): Promise<void> => {
      runs += 1;
      await count(unit);
      // The next call is the commit.
      if (runs === 1) store.failAt(store.calls + 1, 'unavailable');
    };
    await expect(executor.run(LANE, [KEY], counted)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const conflict = new BlockworkError('CONFLICT', { facts: { key: KEY, expected: 0, actual: 1 } });
    const failing = executor.run(LANE, [KEY], () => {
      runs += 1;
      return Promise.reject(conflict);
    });
    await expect(failing).rejects.toBe(conflict);
    expect(runs).toBe(2);
    expect(heard).toEqual([]);
  });

  it('runs the units of one lane one after another, so that none is run twice', async () => {
    const { executor, dueOf } = world();
    const all = await Promise.all(Array.from({ length: 5 }, () => executor.run(LANE, [KEY], count)));
    expect(all.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1]);
    expect(await dueOf('mine')).toBe(5);
  });
});
