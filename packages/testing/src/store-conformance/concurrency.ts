/** Promises under concurrent use. */
import { BlockworkError } from '@blockwork/core';
import type { PolicyStore } from '@blockwork/core/adapter';
import { expect } from 'vitest';
import { promise, type ConformanceCase } from './conformance-case.js';
import { commit, ids, partition, put } from './sample-records.js';

const writers = 64;
const times = <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

const counted = async (store: PolicyStore): Promise<number> =>
  Number((await store.get('document', partition, 'counter'))?.n ?? 0);

/** Increments a counter, retrying on conflicts. @returns the number of conflicts. */
async function addOne(store: PolicyStore, conflicts = 0): Promise<number> {
  const revision = await store.revision('counter');
  const n = await counted(store);
  try {
    await store.commit({ expect: { counter: revision }, changes: [put('counter', { n: n + 1 })] });
    return conflicts;
  } catch (error) {
    if (!(error instanceof BlockworkError) || error.code !== 'CONFLICT') throw error;
    return addOne(store, conflicts + 1);
  }
}

export const concurrency: readonly ConformanceCase[] = [
  promise('lets exactly one of many commits with the same expectation through', async (store) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: writers }, (_, n) =>
        store.commit({ expect: { k: 0 }, changes: [put('a', { n }), put(`w${n}`)] }),
      ),
    );
    const winners = outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
    expect(winners).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' });
    expect(await store.get('document', partition, 'a')).toMatchObject({ n: winners[0] });
    expect(await ids(store)).toEqual(['a', `w${winners[0]}`]);
    expect(await store.revision('k')).toBe(1);
  }),
  promise('reports a conflict only when the winning commit can be read', async (store) => {
    const faster = store.commit({ expect: { k: 0 }, changes: [put('a')] });
    await expect(store.commit({ expect: { k: 0 }, changes: [put('b')] })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect([await store.revision('k'), await ids(store)]).toEqual([1, ['a']]);
    await faster;
  }),
  promise('loses no update of 64 writers that read, change and try again', async (store) => {
    await times(writers, () => addOne(store));
    expect(await counted(store)).toBe(writers);
    expect(await store.revision('counter')).toBe(writers);
  }),
  promise('takes commits of 64 writers that do not concern each other', async (store) => {
    await times(writers, async (n) => {
      for (let turn = 0; turn < 4; turn++) {
        await store.commit({ expect: { [`k${n}`]: turn }, changes: [put(`r${turn}`, { n }, `p${n}`)] });
      }
    });
    for (let n = 0; n < writers; n++) expect(await ids(store, {}, `p${n}`)).toEqual(['r0', 'r1', 'r2', 'r3']);
  }),
  promise('makes commits in the order of the calls', async (store) => {
    await times(writers, (n) => commit(store, put('last', { n }), put(`d${n}`)));
    expect(await store.get('document', partition, 'last')).toMatchObject({ n: writers - 1 });
    expect((await ids(store)).slice(1)).toEqual(Array.from({ length: writers }, (_, n) => `d${n}`));
  }),
  promise('shows of each commit all or nothing to those who read meanwhile', async (store) => {
    let writing = true;
    const write = async (): Promise<void> => {
      for (let n = 1; n <= 50; n++) await commit(store, put('left', { n }), put('right', { n }));
      writing = false;
    };
    const read = async (): Promise<void> => {
      while (writing) {
        const [left, right] = await store.find('document', partition);
        expect(left?.n).toBe(right?.n);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([write(), read(), read()]);
  }),
];
