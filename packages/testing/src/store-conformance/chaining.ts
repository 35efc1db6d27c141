/** Promises about commit chains, in which each commit depends on the previous ones. */
import { expect } from 'vitest';
import { chainPromise, type ConformanceCase } from './conformance-case.js';
import { commit, doc, ids, partition, put, remove } from './sample-records.js';

export const chaining: readonly ConformanceCase[] = [
  chainPromise(
    'takes a chain of commits, each of which expects what those before it leave behind',
    async (store, chain) => {
      await chain([
        { expect: { k: 0 }, changes: [put('a', { n: 1 }), put('b')] },
        { expect: { k: 1, l: 0 }, changes: [put('a', { n: 2 }), remove('b')] },
        { expect: { k: 2 }, changes: [put('b', { n: 3 })] },
      ]);
      expect(await store.find('document', partition)).toEqual([doc('a', { n: 2 }), doc('b', { n: 3 })]);
      expect([await store.revision('k'), await store.revision('l')]).toEqual([3, 1]);
    },
  ),
  chainPromise('gives records of a chain their places in the order of its commits', async (store, chain) => {
    await commit(store, put('z'));
    await chain([
      { expect: { k: 0 }, changes: [put('c'), put('a')] },
      { expect: { k: 1 }, changes: [put('b'), put('c', { n: 1 })] },
      { expect: { k: 2 }, changes: [remove('z'), put('y')] },
      { expect: { k: 3 }, changes: [put('z')] },
    ]);
    expect(await ids(store)).toEqual(['c', 'a', 'b', 'y', 'z']);
  }),
  chainPromise(
    'changes nothing where one commit of a chain is refused, be it the first or a later one',
    async (store, chain) => {
      await store.commit({ expect: { k: 0, other: 0 }, changes: [put('a')] });
      const chains = [
        [
          { expect: { k: 0 }, changes: [put('b')] },
          { expect: { k: 1 }, changes: [put('c')] },
        ],
        [
          { expect: { k: 1 }, changes: [put('b')] },
          { expect: { k: 2, other: 0 }, changes: [put('c')] },
        ],
        [
          { expect: { k: 1 }, changes: [put('b')] },
          { expect: { k: 1 }, changes: [put('c')] },
        ],
      ];
      for (const each of chains) await expect(chain(each)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect([await ids(store), await store.revision('k')]).toEqual([['a'], 1]);
    },
  ),
  chainPromise('never takes the end of a chain on top of another writer’s commit', async (store, chain) => {
    for (let turn = 0; turn < 20; turn += 1) {
      const k = await store.revision('k');
      const chained = chain([
        { expect: { k }, changes: [put(`a${String(turn)}`)] },
        { expect: { k: k + 1 }, changes: [put(`b${String(turn)}`)] },
      ]);
      const single = store.commit({ expect: { k }, changes: [put(`c${String(turn)}`)] });
      const [first, second] = await Promise.allSettled([chained, single]);
      const there = (await ids(store)).filter((id) => id.slice(1) === String(turn));
      expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected']);
      expect(there).toEqual(
        (first.status === 'fulfilled' ? ['a', 'b'] : ['c']).map((name) => `${name}${String(turn)}`),
      );
    }
  }),
];
