/** How groups of commits extend a log: as the same commits would one after another, also where some write the log itself. */
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { journalLogProblems } from '../../../../test/support/journal-log.js';
import { turn } from '../../test/background.js';
import { SlowStore } from '../../test/slow-store.js';
import { journalEntry, journalId } from '../context/index.js';
import { MemoryStore } from '../memory/index.js';
import type { Change, ChangeSet } from '../ports/index.js';
import { Executor, lanes, revisionKeys } from '../transactions/index.js';
import { logCompletion, tileId } from './append.js';

const policyId = 'p';
const key = revisionKeys.policy.of(policyId);
const clock = { now: () => 0 };
const entryAfter = (revision: number) => journalEntry({ type: 'importer' }, revision, clock);

type Step = 'entry' | 'nothing' | 'clear' | 'save' | 'restore';
const steps = fc.array(
  fc.oneof(
    { weight: 30, arbitrary: fc.constant<Step>('entry') },
    { weight: 3, arbitrary: fc.constant<Step>('nothing') },
    fc.constantFrom<Step>('clear', 'save', 'restore'),
  ),
  { maxLength: 400, size: 'max' },
);

/** What a trial has at a savepoint: its journal and the log of it. */
const kinds = ['journal', 'journal-tree', 'journal-tile'] as const;

async function recordsOf(store: MemoryStore): Promise<Change[]> {
  const found = await Promise.all(kinds.map((kind) => store.find(kind, policyId)));
  return found.flatMap((records, at) =>
    records.map((value) => ({ op: 'put', kind: kinds[at], partition: policyId, value }) as Change),
  );
}

/** Plays the steps; those of one group know only what the groups before it have left. */
async function played(all: readonly Step[], sizes: readonly number[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  let saved: Change[] = [];
  let revision = 0;
  for (let [at, group] = [0, 0]; at < all.length; group += 1) {
    const present = await recordsOf(store);
    const size = Math.max(1, sizes[group % sizes.length] ?? 1);
    const changeSets: ChangeSet[] = [];
    for (const step of all.slice(at, at + size)) {
      // Whoever reads the log waits for what is before: such a step is the first of its group, or knows no records at all.
      const isFirst = changeSets.length === 0;
      if (step === 'save' && isFirst) saved = present;
      const others = isFirst ? present : [];
      const removed = others.map(
        (change) => ({ op: 'delete', kind: change.kind, partition: policyId, id: idOf(change) }) as Change,
      );
      const entry = { op: 'put', kind: 'journal', partition: policyId, value: entryAfter(revision) } as const;
      const changes: Change[] = [];
      if (step === 'clear' && isFirst) changes.push(...removed);
      if (step === 'restore' && isFirst) changes.push(...removed.filter((each) => !isIn(saved, each)), ...saved);
      if (step !== 'nothing') changes.push(entry);
      changeSets.push({ expect: { [key]: revision }, changes });
      revision += 1;
    }
    for (const changeSet of await logCompletion.complete(changeSets, store)) await store.commit(changeSet);
    at += size;
  }
  return store;
}

const idOf = (change: Change): string => (change.op === 'put' ? change.value.id : change.id);
const isIn = (changes: readonly Change[], one: Change): boolean =>
  changes.some((each) => each.kind === one.kind && idOf(each) === idOf(one));

it('has exactly the entries of the journal, however commits are grouped', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.array(fc.nat(40), { minLength: 1, maxLength: 5 }), async (all, sizes) => {
      expect(await journalLogProblems(await played(all, sizes), policyId)).toEqual([]);
    }),
  );
});

it('goes on from what a unit in the middle of a group leaves of it', async () => {
  const store = new MemoryStore();
  const add = (revision: number): ChangeSet => ({
    expect: { [key]: revision },
    changes: [{ op: 'put', kind: 'journal', partition: policyId, value: entryAfter(revision) }],
  });
  // Enough entries for a tile.
  const before = Array.from({ length: 20 }, (_, at) => at);
  const emptied: ChangeSet = {
    expect: { [key]: 20 },
    changes: [
      ...before.map((at) => ({ op: 'delete', kind: 'journal', partition: policyId, id: journalId(at) }) as const),
      { op: 'delete', kind: 'journal-tile', partition: policyId, id: tileId(0, 0) },
      { op: 'delete', kind: 'journal-tree', partition: policyId, id: policyId },
      ...add(20).changes,
    ],
  };
  const group = [...before.map(add), emptied, add(21)];
  for (const changeSet of await logCompletion.complete(group, store)) {
    const ids = changeSet.changes.map((change) => `${change.kind} ${idOf(change)}`);
    expect(new Set(ids).size).toBe(ids.length);
    await store.commit(changeSet);
  }
  expect(await journalLogProblems(store, policyId)).toEqual([]);
  expect(await store.get('journal-tree', policyId, policyId)).toMatchObject({ first: journalId(20), size: 2 });
});

it('is written once for a group, and read by units on top of it as it is then', async () => {
  const store = new SlowStore();
  const commits = { committed: () => undefined };
  const executor = new Executor({ store, commits, limits: { conflictRetries: 0 }, completion: logCompletion });
  const chain = vi.spyOn(store, 'commitChain');
  const lane = lanes.policy.of(policyId);
  const adding = Array.from({ length: 20 }, () =>
    executor.run(lane, [key], async (unit) => unit.put('journal', policyId, entryAfter(unit.expected(key)))),
  );
  const reading = executor.run(lane, [key], async (unit) => ({
    tree: await unit.get('journal-tree', policyId, policyId),
    tiles: await unit.count('journal-tile', policyId),
    trees: await unit.find('journal-tree', policyId),
  }));
  const ended = { all: false };
  const all = Promise.all([...adding, reading]).finally(() => (ended.all = true));
  while (!ended.all) {
    await turn();
    await store.apply();
  }
  await all;
  const { tree, tiles, trees } = (await reading).result;
  expect([tree?.size, tiles, trees]).toEqual([20, 1, [tree]]);
  const groups = chain.mock.calls.map(([changeSets]) => changeSets.flatMap(({ changes }) => changes));
  expect(groups.length).toBeGreaterThan(0);
  for (const changes of groups) expect(changes.filter(({ kind }) => kind === 'journal-tree')).toHaveLength(1);
  expect(await journalLogProblems(store, policyId)).toEqual([]);
});
