import { MemoryStore } from '../memory/store/memory-store.js';
import { expect, it, vi } from 'vitest';
import { GuardedCommits } from './guarded-commits.js';
import { revisionKeys, type RevisionKey } from './revision-keys.js';

const keyOf = (n: number): RevisionKey => revisionKeys.policy.of(`p${String(n)}`);
const [A, B] = [keyOf(1), keyOf(2)];

function world() {
  const store = new MemoryStore();
  const read = vi.spyOn(store, 'revision');
  const commits = new GuardedCommits(store);
  const commit = (...keys: readonly RevisionKey[]) => Promise.all(keys.map((key) => commits.commit(key, [])));
  const reads = (): string[] => read.mock.calls.splice(0).map(([key]) => key);
  const foreign = async (key: RevisionKey): Promise<void> => {
    await store.commit({ expect: { [key]: await store.revision(key) }, changes: [] });
    reads();
  };
  return { store, commits, commit, reads, foreign };
}

it('commits under a key read its revision once, however many keys take turns', async () => {
  const { store, commit, reads } = world();
  for (let n = 0; n < 3; n += 1) for (const key of [A, B]) await commit(key);
  expect(reads()).toEqual([A, B]);
  expect([await store.revision(A), await store.revision(B)]).toEqual([3, 3]);
});

it('a commit names the history in which its revision was read, and reads it again in another one', async () => {
  const history = { id: 'one', subscribe: () => () => undefined };
  const { store, commit, reads } = world();
  const committed = vi.spyOn(store, 'commit');
  await commit(A);
  expect(committed.mock.lastCall?.[0]).not.toHaveProperty('history');
  Object.assign(store, { history });
  await commit(A);
  await commit(A);
  history.id = 'two';
  await commit(A);
  expect(committed.mock.calls.slice(1).map(([changeSet]) => changeSet.history)).toEqual(['one', 'one', 'two']);
  expect(reads()).toEqual([A, A, A]);
});

it('commits that begin at the same moment are all made, in the order of their calls', async () => {
  const { store, commit } = world();
  const committed = vi.spyOn(store, 'commit');
  await commit(A, A, A);
  await commit(A, A);
  expect(committed.mock.calls.map(([{ expect: from }]) => from[A])).toEqual([0, 1, 2, 3, 4]);
});

it('a commit that somebody else was faster than is refused, and the next one reads the revision again', async () => {
  const { store, commit, reads, foreign } = world();
  await commit(A, B);
  await foreign(A);
  await expect(commit(A)).rejects.toMatchObject({ code: 'CONFLICT' });
  await commit(A, B);
  expect(reads()).toEqual([A]);
  expect([await store.revision(A), await store.revision(B)]).toEqual([3, 2]);
});

it('a commit reads the revision again that was to be forgotten', async () => {
  const { commits, commit, reads, foreign } = world();
  await commit(A);
  await foreign(A);
  commits.forget(A);
  await commit(A);
  expect(reads()).toEqual([A]);
});

it('revisions of at most a thousand keys are remembered', async () => {
  const { commit, reads } = world();
  for (let n = 1; n <= 1_000; n += 1) await commit(keyOf(n));
  reads();
  await commit(A);
  expect(reads()).toEqual([]);
  await commit(keyOf(1_001));
  await commit(A);
  expect(reads()).toEqual([keyOf(1_001), A]);
});
