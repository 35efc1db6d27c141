import { expect, it, vi } from 'vitest';
import { MemoryStore } from '../../memory/index.js';
import type { Change } from '../../ports/index.js';
import { revisionKeys, UnitOfWork } from '../../transactions/index.js';
import { clearTrial, trialKinds } from './trial-records.js';

const archive = (n: number, text: string): Change => {
  const id = String(n).padStart(12, '0');
  const value = { id, through: id, entries: [{ id, text }] };
  return { op: 'put', kind: 'journal-archive', partition: 'p', value: value as never };
};

const state = (n: number): Change => ({
  op: 'put',
  kind: 'block-state',
  partition: 'p',
  value: { id: String(n), tag: 't', user: String(n), value: n },
});

const filled = async (...changes: Change[]) => {
  const store = new MemoryStore();
  await store.commit({ expect: {}, changes });
  const find = vi.spyOn(store, 'find');
  const unit = await UnitOfWork.begin(store, [revisionKeys.policy.of('p')]);
  const removed = await clearTrial(unit, 'p');
  const changeSet = unit.changeSet();
  if (changeSet !== null) await store.commit(changeSet);
  const callsBefore = find.mock.calls.length;
  return {
    removed,
    asked: callsBefore,
    isEmpty: (await store.count('journal-archive', 'p')) + (await store.count('block-state', 'p')) === 0,
  };
};

const many = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));

it('asks as often for many records of a trial as for few', async () => {
  const few = await filled(archive(1, ''), state(1));
  expect(few.asked).toBe(trialKinds.length + 4);
  const more = await filled(...many(400, (n) => archive(n, '')), ...many(400, state));
  expect(more).toEqual({ removed: { ...few.removed, journal: 400, states: 400 }, asked: few.asked, isEmpty: true });
});

it('removes records that are too large to be read together, and one that is larger than a batch', async () => {
  const large = many(5, (n) => archive(n, 'x'.repeat(1_500_000)));
  const { removed, isEmpty } = await filled(...large, archive(9, 'x'.repeat(5_000_000)));
  expect([removed.journal, isEmpty]).toEqual([6, true]);
});
