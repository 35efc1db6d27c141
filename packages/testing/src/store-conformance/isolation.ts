/** Promises about isolation: store and callers share no objects. */
import type { Change } from '@blockwork/core/adapter';
import { expect } from 'vitest';
import { promise, type ConformanceCase } from './conformance-case.js';
import { commit, doc, ids, partition, put } from './sample-records.js';

export const isolation: readonly ConformanceCase[] = [
  promise('is not changed through an object that was committed', async (store) => {
    const value = doc('a', { list: [{ n: 1 }] });
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'document', partition, value }] });
    (value.list as { n: number }[])[0] = { n: 2 };
    value.owner = 'thief';
    value.option.status = 'SPOILT';
    expect(await store.get('document', partition, 'a')).toEqual(doc('a', { list: [{ n: 1 }] }));
  }),
  promise(
    'takes a commit as it was when the call was made, whatever the caller changes while it is under way',
    async (store) => {
      const value = doc('a', { n: 1 });
      const changes: Change[] = [{ op: 'put', kind: 'document', partition, value }];
      const expected: Record<string, number> = { k: 0 };
      const committing = store.commit({ expect: expected, changes });
      value.n = 2;
      changes.push(put('b'));
      expected.k = 7;
      expected.l = 7;
      await committing;
      expect(await store.find('document', partition)).toEqual([doc('a', { n: 1 })]);
      expect([await store.revision('k'), await store.revision('l')]).toEqual([1, 0]);
    },
  ),
  promise('is not changed through what `get` gave', async (store) => {
    await commit(store, put('a', { option: { list: [1] } }));
    const document = await store.get('document', partition, 'a');
    (document?.option.list as number[]).push(2);
    Object.assign(document ?? {}, { owner: 'thief' });
    expect(await store.get('document', partition, 'a')).toEqual(doc('a', { option: { list: [1] } }));
  }),
  promise('is not changed through what `find` gave', async (store) => {
    await commit(store, put('a', { option: { n: 1 } }), put('b'));
    const documents = await store.find('document', partition);
    for (const record of documents) record.option.n = 2;
    documents.reverse();
    expect(await store.find('document', partition)).toEqual([doc('a', { option: { n: 1 } }), doc('b')]);
  }),
  promise('shares nothing between two who read the same record', async (store) => {
    await commit(store, put('a', { option: { n: 1 } }));
    const [one, other] = [await store.get('document', partition, 'a'), await store.get('document', partition, 'a')];
    expect(one).not.toBe(other);
    expect(one?.option).not.toBe(other?.option);
  }),
  promise(
    'gives with `findShared`, if it has it, what `find` gives, and what cannot be changed or may be',
    async (store) => {
      if (store.findShared === undefined) return;
      await commit(store, ...Array.from({ length: 100 }, (_, n) => put(`d${String(n)}`, { option: { n } })));
      const query = {
        where: { path: 'option.n', op: 'gte', value: 10 },
        order: { path: 'id', direction: 'desc' },
      } as const;
      const page = { ...query, offset: 5, limit: 10 };
      const shared = await store.findShared('document', partition, page);
      const before = await store.find('document', partition, page);
      expect(shared).toEqual(before);
      const again = await store.findShared('document', partition, page);
      for (const [at, record] of shared.entries()) {
        if (!Object.isFrozen(record)) Object.assign(record.option, { n: -1 });
        else {
          expect(again[at]).toBe(record);
          expect(() => Object.assign(record.option, { n: -1 })).toThrow(TypeError);
        }
      }
      expect(await store.find('document', partition, page)).toEqual(before);
      for (const record of before) record.option.n = 0;
      const [first] = shared;
      if (first === undefined) throw new Error('There are no records.');
      await commit(store, put(first.id, { option: { n: 1000 } }));
      expect(
        await store.findShared('document', partition, { where: { path: 'option.n', op: 'eq', value: 1000 } }),
      ).toEqual([doc(first.id, { option: { n: 1000 } })]);
      expect(first.option).not.toEqual({ n: 1000 });
    },
  ),
  promise('leaves what it was given as it is', async (store) => {
    const changes = [put('a', { option: { deep: [{ n: 1 }] } })];
    const query = {
      where: { all: [{ path: 'n', op: 'in', value: [2, 1] }] },
      order: { path: 'n', direction: 'desc' },
    } as const;
    const before = JSON.stringify([changes, query]);
    await commit(store, ...changes);
    await store.find('document', partition, query);
    expect(JSON.stringify([changes, query])).toBe(before);
  }),
  promise('is not misled by a caller who changes a query after asking', async (store) => {
    await commit(store, ...Array.from({ length: 200 }, (_, n) => put(`d${n}`, { n: n % 2 })));
    const where = { path: 'n', op: 'eq' as const, value: 0 };
    expect(await store.count('document', partition, where)).toBe(100);
    where.value = 1;
    await commit(store, put('new', { n: 0 }));
    expect(await store.count('document', partition, { path: 'n', op: 'eq', value: 0 })).toBe(101);
    expect((await ids(store, { where })).length).toBe(100);
  }),
];
