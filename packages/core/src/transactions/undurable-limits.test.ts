/** What has ended and is not durable yet takes memory, so it is limited: in units, in changes and in bytes. */
import { expect, it } from 'vitest';
import { turn } from '../../test/background.js';
import { SlowStore } from '../../test/slow-store.js';
import type { DocumentRecord } from '../records/kinds.js';
import { Executor } from './executor.js';
import { lanes, revisionKeys, type RevisionKey } from './revision-keys.js';
import type { UnitOfWork } from './unit-of-work.js';

const KEY = revisionKeys.policy.of('p');
const OTHER = revisionKeys.webhooks.of('p');

/** Units that begin at once. Their commits end with each `go`, and how many have begun since is given. */
function world(
  units: number,
  work: (unit: UnitOfWork, n: number) => void,
  keysOf = (_n: number): RevisionKey[] => [KEY],
) {
  const store = new SlowStore();
  const executor = new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 0 } });
  let begun = 0;
  const all = Promise.all(
    Array.from({ length: units }, (_, n) =>
      executor.run(lanes.policy.of('p'), keysOf(n), (unit) => {
        begun += 1;
        work(unit, n);
        return Promise.resolve();
      }),
    ),
  );
  const settled = async (): Promise<number> => {
    for (let last = -1; last !== begun;) {
      last = begun;
      for (let turns = 0; turns < 20; turns += 1) await turn();
    }
    return begun;
  };
  const end = async (): Promise<void> => {
    const state = { isOver: false };
    void all.finally(() => (state.isOver = true));
    while (!state.isOver) {
      await turn();
      await store.apply();
    }
    await all;
  };
  return { store, settled, end };
}

const add = (unit: UnitOfWork, id: string, text = ''): void =>
  unit.putOwned('document', 'p', { id, option: {}, document: { text } } as unknown as DocumentRecord);

it('at most 256 units run before the first of them is durable', async () => {
  const { store, settled, end } = world(300, (unit, n) => add(unit, String(n)));
  expect(await settled()).toBe(256);
  await store.apply();
  // The first was written alone, the others gather.
  expect(await settled()).toBe(257);
  await end();
  expect(await store.count('document', 'p')).toBe(300);
});

it.each([
  [9_999, 2],
  [10_000, 1],
])('after a unit with %i changes that is not durable, %i have begun', async (changes, begun) => {
  const { settled, end } = world(2, (unit, n) => {
    for (let at = 0; at < (n === 0 ? changes : 1); at += 1) add(unit, `${String(n)}/${String(at)}`);
  });
  expect(await settled()).toBe(begun);
  await end();
});

it.each([
  [31, 3],
  [33, 2],
])('after two units of %i MB that are not durable, %i have begun', async (megabytes, begun) => {
  const text = 'x'.repeat(megabytes * 2 ** 20);
  const { settled, end } = world(3, (unit, n) => add(unit, String(n), n < 2 ? text : ''));
  expect(await settled()).toBe(begun);
  await end();
});

it('a unit with other keys waits for those before it, and those after it wait for it', async () => {
  const keysOf = (n: number): RevisionKey[] => (n === 1 ? [KEY, OTHER] : n === 3 ? [OTHER] : [KEY]);
  const { store, settled, end } = world(4, (unit, n) => add(unit, String(n)), keysOf);
  const seen: number[] = [];
  for (let group = 0; group < 4; group += 1) {
    seen.push(await settled());
    await store.apply();
  }
  expect(seen).toEqual([1, 2, 3, 4]);
  await end();
});
