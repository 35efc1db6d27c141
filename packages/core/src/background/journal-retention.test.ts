import type { JournalEntry } from '@blockwork/core/records';
import { expect, it, vi } from 'vitest';
import { isoNow, type PolicyStore } from '../ports/index.js';
import { simulatedWorld, turn } from '../../test/background.js';
import { Inspections } from '../telemetry/index.js';
import { Executor, lanes } from '../transactions/index.js';
import { JournalRetention } from './journal-retention.js';

const KEPT = 10;

/** Retention over a store, and journals that are longer than it keeps. */
function world(journalEntries = KEPT) {
  const around = simulatedWorld();
  const { store } = around;
  const executor = new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } });
  const stuck: string[] = [];
  const retention = new JournalRetention({
    ...around,
    executor,
    inspections: new Inspections({
      inspector: (inspection) => {
        if (inspection.type === 'background.stuck') stuck.push(`${inspection.work} ${inspection.id}`);
      },
    }),
    limits: { journalEntries },
  });
  const add = async (policyId: string, from: number, count: number, text = ''): Promise<void> => {
    const changes = Array.from({ length: count }, (_, at) => {
      const value = { id: idOf(from + at), traceparent: text } as JournalEntry;
      return { op: 'put', kind: 'journal', partition: policyId, value } as const;
    });
    await store.commit({ expect: {}, changes });
    retention.committed({ expect: {}, changes });
  };
  const archives = (policyId: string) => store.find('journal-archive', policyId);
  const archived = async (policyId: string) => (await archives(policyId)).length > 0;
  return { ...around, executor, retention, stuck, add, archives, archived };
}

/** How many entries each unit of work from now on takes out of a journal. */
function movedPerUnit(store: PolicyStore): number[] {
  const moved: number[] = [];
  const commit = store.commit.bind(store);
  store.commit = (changeSet) => {
    const count = changeSet.changes.filter(({ op }) => op === 'delete').length;
    if (count > 0) moved.push(count);
    return commit(changeSet);
  };
  return moved;
}

/** Far above the revisions by which the entries are numbered that tell of archived ones. */
const idOf = (at: number): string => String(1_000_000 + at).padStart(12, '0');
const idsOf = (entries: readonly { readonly id: string }[]): string[] => entries.map(({ id }) => id);
const ids = (from: number, count: number): string[] => Array.from({ length: count }, (_, at) => idOf(from + at));

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
  const removed = await store.find('journal', 'policy', { limit: 200 });
  await store.commit({
    expect: {},
    changes: removed.map(({ id }) => ({ op: 'delete', kind: 'journal', partition: 'policy', id })),
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

it('the oldest entries are moved into the archive, in order, and the journal tells how many and up to which one', async () => {
  const { store, retention, add, archives, clock } = world();
  await add('policy', 0, KEPT + 24);
  await retention.idle();
  const [archive, ...others] = await archives('policy');
  expect([archive?.id, archive?.through, idsOf(archive?.entries ?? [])]).toEqual([idOf(0), idOf(24), ids(0, 25)]);
  expect(others).toEqual([]);
  const journal = await store.find('journal', 'policy');
  const entry = journal.find(({ id }) => !ids(25, KEPT - 1).includes(id));
  expect(journal).toHaveLength(KEPT);
  expect(entry).toMatchObject({
    at: isoNow(clock),
    cause: { type: 'retention', archived: 25, through: idOf(24) },
    events: [],
    effects: [],
  });
});

it('what a store cannot share is read from it all the same', async () => {
  const { store, retention, add, archives } = world();
  Object.assign(store, { findShared: undefined });
  await add('policy', 0, KEPT + 24);
  await retention.idle();
  expect((await archives('policy')).flatMap(({ entries }) => idsOf(entries))).toEqual(ids(0, 25));
});

it('one entry beyond the limit is not worth a unit of work', async () => {
  const { retention, add, archived } = world();
  await add('policy', 0, KEPT + 1);
  await retention.idle();
  expect(await archived('policy')).toBe(false);
  await add('policy', KEPT + 1, 2);
  await retention.idle();
  expect(await archived('policy')).toBe(true);
});

it('a journal is counted after its first entry since the start, and then after every tenth of the limit', async () => {
  const { store, retention, add } = world(100);
  const counts = vi.spyOn(store, 'count');
  const countsAfter: number[] = [];
  for (let at = 0; at < 23; at += 1) {
    await add('policy', at, 1);
    await retention.idle();
    countsAfter.push(counts.mock.calls.length);
  }
  expect(countsAfter).toEqual([...Array<number>(11).fill(1), ...Array<number>(11).fill(2), 3]);
});

it('a unit of work archives two hundred entries at most, and a stop is heeded between two of them', async () => {
  const { store, retention, add, archives } = world();
  const moved = movedPerUnit(store);
  await add('policy', 0, KEPT + 500);
  await retention.idle();
  expect([moved, await store.count('journal', 'policy')]).toEqual([[200, 200, 103], KEPT]);
  expect((await archives('policy')).flatMap(({ entries }) => idsOf(entries))).toEqual(ids(0, 503));
  const stopping: Promise<void>[] = [];
  const commit = store.commit.bind(store);
  store.commit = (changeSet) => {
    if (changeSet.changes.some(({ op }) => op === 'delete')) stopping.push(retention.stop());
    return commit(changeSet);
  };
  await add('other', 0, KEPT + 500);
  await retention.idle();
  await Promise.all(stopping);
  expect(await store.count('journal', 'other')).toBe(KEPT + 301);
});

it('archives hold a quarter of a mebibyte each, and a unit of work four of them, unless an entry is longer', async () => {
  const { store, retention, add, archives } = world();
  const moved = movedPerUnit(store);
  const sizes = async (policyId: string) => (await archives(policyId)).map(({ entries }) => entries.length);
  const throughs = async (policyId: string) => (await archives(policyId)).map(({ through }) => through);
  const around = JSON.stringify({ id: idOf(0), traceparent: '' }).length;
  await add('fitting', 0, KEPT + 9, 'x'.repeat(2 ** 17 - around));
  await retention.idle();
  expect([moved, await sizes('fitting')]).toEqual([
    [8, 3],
    [2, 2, 2, 2, 2, 1],
  ]);
  expect(await throughs('fitting')).toEqual([1, 3, 5, 7, 9, 10].map(idOf));
  moved.length = 0;
  await add('longer', 0, KEPT + 9, 'x'.repeat(2 ** 17 - around + 1));
  await retention.idle();
  expect([moved, await sizes('longer')]).toEqual([[7, 4], Array<number>(11).fill(1)]);
  moved.length = 0;
  await add('longest', 0, 1, 'x'.repeat(2 ** 20));
  await add('longest', 1, KEPT + 2);
  await retention.idle();
  expect([moved, await sizes('longest')]).toEqual([
    [1, 4],
    [1, 4],
  ]);
});

it('entries that went away between the count and the read are not waited for', async () => {
  const { store, retention, add, archives } = world();
  const findShared = store.findShared.bind(store);
  let reads = 0;
  store.findShared = (kind, partition, query) => {
    // A loop ends the test instead of hanging it.
    if (kind === 'journal' && (reads += 1) > 20) throw new Error('It reads again and again.');
    return findShared(kind, partition, query);
  };
  store.count = () => Promise.resolve(reads === 0 ? 100 : KEPT);
  await add('policy', 0, KEPT + 5);
  await retention.idle();
  expect([(await archives('policy')).flatMap(({ entries }) => entries).length, retention.stuck()]).toEqual([
    KEPT + 5,
    [],
  ]);
  reads = 0;
  await add('empty', 0, 1);
  store.find = () => Promise.resolve([]);
  store.findShared = () => Promise.resolve([]);
  await retention.idle();
  expect(retention.stuck()).toEqual([]);
});

it('at most a hundred journals are shortened at once', async () => {
  const { store, retention, add } = world();
  const count = store.count.bind(store);
  let free = (): void => undefined;
  const freed = new Promise<void>((resolve) => (free = resolve));
  let counting = 0;
  let most = 0;
  store.count = async (...asked) => {
    most = Math.max(most, (counting += 1));
    await freed;
    counting -= 1;
    return count(...asked);
  };
  for (let at = 0; at < 101; at += 1) await add(`p${String(at)}`, 0, 1);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(most).toBe(100);
  free();
  await retention.idle();
  expect(retention.stuck()).toEqual([]);
});
