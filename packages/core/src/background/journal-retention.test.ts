import type { JournalEntry } from '@blockwork/core/records';
import { expect, it } from 'vitest';
import { simulatedWorld, turn } from '../../test/background.js';
import { Executor, lanes } from '../transactions/index.js';
import { JournalRetention } from './journal-retention.js';

const KEPT = 10;

/** Retention over a store, and journals that are longer than it keeps. */
function world() {
  const around = simulatedWorld();
  const { store } = around;
  const executor = new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } });
  const stuck: string[] = [];
  const retention = new JournalRetention({
    ...around,
    executor,
    inspector: (seen) => {
      if (seen.type === 'background.stuck') stuck.push(`${seen.work} ${seen.id}`);
    },
    limits: { journalEntries: KEPT },
  });
  const add = async (policyId: string, from: number, count: number): Promise<void> => {
    const changes = Array.from({ length: count }, (_, at) => {
      const value = { id: String(from + at).padStart(12, '0') } as JournalEntry;
      return { op: 'put', kind: 'journal', partition: policyId, value } as const;
    });
    await store.commit({ expect: {}, changes });
    retention.committed({ expect: {}, changes });
  };
  const archived = async (policyId: string) => (await store.find('journal-archive', policyId)).length > 0;
  return { ...around, executor, retention, stuck, add, archived };
}

it('the journal of a policy is shortened while another policy is busy', async () => {
  const { executor, retention, add, archived } = world();
  let free = (): void => undefined;
  const busy = new Promise<void>((resolve) => (free = resolve));
  const unit = executor.run(lanes.policy.of('busy'), [], () => busy);
  retention.start();
  await add('busy', 0, KEPT + 200);
  await add('quick', 0, KEPT + 200);
  while (!(await archived('quick'))) await turn();
  expect(await archived('busy')).toBe(false);
  // What comes while it waits is not forgotten.
  await add('busy', KEPT + 200, 201);
  free();
  await unit;
  await retention.idle();
  expect(await archived('busy')).toBe(true);
});

it('entries that another node has archived while they waited for their turn are not archived again', async () => {
  const { store, executor, retention, add, archived } = world();
  let free = (): void => undefined;
  const busy = new Promise<void>((resolve) => (free = resolve));
  const unit = executor.run(lanes.policy.of('policy'), [], () => busy);
  let reads = 0;
  const findShared = store.findShared.bind(store);
  store.findShared = (kind, partition, query) => {
    if (kind === 'journal') reads += 1;
    return findShared(kind, partition, query);
  };
  retention.start();
  await add('policy', 0, KEPT + 200);
  // Sends of the policy do not wait for these reads.
  while (reads === 0) await turn();
  const taken = await store.find('journal', 'policy', { limit: 200 });
  await store.commit({
    expect: {},
    changes: taken.map(({ id }) => ({ op: 'delete', kind: 'journal', partition: 'policy', id })),
  });
  free();
  await unit;
  await retention.idle();
  expect(await archived('policy')).toBe(false);
  expect(await store.count('journal', 'policy')).toBe(KEPT);
});

it('a journal is never longer than its limit by more than a tenth, with the entry that tells of the archived ones', async () => {
  const { store, retention, add } = world();
  retention.start();
  for (let at = 0; at < 100; at += 1) {
    await add('policy', at, 1);
    await retention.idle();
    expect(await store.count('journal', 'policy')).toBeLessThanOrEqual(KEPT + 2);
  }
});

it('a journal that cannot be shortened is told of and tried again, and the others are shortened', async () => {
  const { store, retention, stuck, add, archived, toNextWakeUp } = world();
  const commit = store.commit.bind(store);
  let fails = true;
  store.commit = (changeSet) => {
    const isArchiving = changeSet.changes.some(
      ({ kind, partition }) => kind === 'journal-archive' && partition === 'a',
    );
    return fails && isArchiving ? Promise.reject(new Error('the disk is full')) : commit(changeSet);
  };
  retention.start();
  await add('a', 0, KEPT + 200);
  await add('b', 0, KEPT + 200);
  await retention.idle();
  expect([await archived('a'), await archived('b'), stuck]).toEqual([false, true, ['journal a']]);
  expect(retention.stuck()).toMatchObject([{ work: 'journal', id: 'a', failures: 1, reason: 'the disk is full' }]);
  fails = false;
  expect([await toNextWakeUp(retention), await archived('a'), retention.stuck()]).toEqual([1000, true, []]);
});
