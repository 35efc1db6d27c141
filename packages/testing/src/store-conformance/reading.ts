/** Promises about reads. */
import { expect } from 'vitest';
import type { Condition, RecordQuery } from '@blockwork/core/adapter';
import { promise, type ConformanceCase } from './conformance-case.js';
import { commit, doc, ids, partition, put, remove } from './sample-records.js';

export const reading: readonly ConformanceCase[] = [
  promise('gives a record back as it was put', async (store) => {
    const members = { text: 'ü', list: [1, [null, { a: true }]], option: { status: 'NEW' }, nothing: null, n: -1.5e-7 };
    await commit(store, put('1', members));
    expect(await store.get('document', partition, '1')).toEqual(doc('1', members));
    expect(await store.find('document', partition)).toEqual([doc('1', members)]);
  }),
  promise('answers undefined for an unknown id, kind or partition', async (store) => {
    await commit(store, put('1'));
    expect(await store.get('document', partition, '2')).toBeUndefined();
    expect(await store.get('schema', partition, '1')).toBeUndefined();
    expect(await store.get('document', 'other', '1')).toBeUndefined();
  }),
  promise('gives several revisions at once, if at all, in the order in which they are asked for', async (store) => {
    await commit(store, put('1'));
    await store.commit({ expect: { k: 0, l: 0 }, changes: [put('2')] });
    await store.commit({ expect: { l: 1 }, changes: [put('3')] });
    expect((await store.revisions?.(['l', 'none', 'k', 'l'])) ?? [2, 0, 1, 2]).toEqual([2, 0, 1, 2]);
  }),
  promise('finds in several partitions at once, if at all, what it finds in each of them', async (store) => {
    const where = { path: 'type', op: 'eq', value: 'report' } as const;
    const partitions = ['b', '', 'none', 'a\u0000', 'b', 'c'];
    await commit(store, ...['2', '1', '3'].map((id) => put(id, { type: 'report' }, 'b')), put('4', {}, 'b'));
    await commit(store, put('1', { type: 'report' }, 'a\u0000'), put('5', { type: 'report' }, ''), put('6', {}, 'c'));
    const one = async (condition?: Condition): Promise<void> => {
      const expected = await Promise.all(
        partitions.map((name) => store.find('document', name, condition && { where: condition })),
      );
      expect((await store.findEach?.('document', partitions, condition)) ?? expected).toEqual(expected);
    };
    await one(where);
    await one();
    // A list, and what only the records themselves tell.
    await commit(store, put('7', { type: ['report', 'other'] }, 'c'));
    await one(where);
    await one({ path: 'document.n', op: 'ne', value: 1 });
    expect((await store.findEach?.('document', [], where)) ?? []).toEqual([]);
  }),
  promise('finds and counts nothing where nothing was put', async (store) => {
    expect(await store.find('document', partition)).toEqual([]);
    expect(await store.count('document', partition)).toBe(0);
    expect(await store.find('document', partition, { order: { path: 'a', direction: 'desc' }, offset: 3 })).toEqual([]);
  }),
  promise('finds records in the order of insertion', async (store) => {
    await commit(store, put('b'), put('c'));
    await commit(store, put('a'));
    await commit(store, put('10'), put('9'));
    expect(await ids(store)).toEqual(['b', 'c', 'a', '10', '9']);
  }),
  promise('keeps an overwritten record in its place, with nothing left of its old value', async (store) => {
    await commit(store, put('a', { old: 1 }), put('b'), put('c'));
    await commit(store, put('a', { young: 2 }));
    expect(await ids(store)).toEqual(['a', 'b', 'c']);
    expect(await store.get('document', partition, 'a')).toEqual(doc('a', { young: 2 }));
  }),
  promise('puts a record that was deleted and comes back at the end', async (store) => {
    await commit(store, put('a'), put('b'));
    await commit(store, remove('a'));
    expect(await ids(store)).toEqual(['b']);
    await commit(store, put('a'));
    expect(await ids(store)).toEqual(['b', 'a']);
  }),
  promise('skips as many records as the offset says and gives as many as the limit allows', async (store) => {
    await commit(store, ...['a', 'b', 'c', 'd', 'e'].map((id) => put(id)));
    expect(await ids(store, { offset: 1, limit: 2 })).toEqual(['b', 'c']);
    expect(await ids(store, { offset: 3 })).toEqual(['d', 'e']);
    expect(await ids(store, { limit: 1 })).toEqual(['a']);
    expect(await ids(store, { offset: 4, limit: 100 })).toEqual(['e']);
  }),
  promise('answers an offset at or past the end with an empty list', async (store) => {
    await commit(store, put('a'), put('b'));
    expect(await ids(store, { offset: 2 })).toEqual([]);
    expect(await ids(store, { offset: 1_000_000, limit: 10 })).toEqual([]);
    expect(await ids(store, { offset: 5, order: { path: 'owner', direction: 'desc' } })).toEqual([]);
  }),
  promise('refuses a page whose records have more bytes than asked for, and gives one that fits', async (store) => {
    await commit(store, ...['a', 'b', 'c'].map((id) => put(id, { document: { text: 'ü'.repeat(1000) } })));
    const one = Buffer.byteLength(JSON.stringify(doc('a', { document: { text: 'ü'.repeat(1000) } })));
    const orders = [undefined, { path: 'createDate', direction: 'desc' }, { path: 'document.text', direction: 'asc' }];
    for (const order of orders as RecordQuery['order'][]) {
      const sorted = order === undefined ? {} : { order };
      expect(await ids(store, { limit: 2, bytes: 2 * one, ...sorted })).toHaveLength(2);
      const refused = store.find('document', partition, { limit: 3, bytes: 2 * one, ...sorted });
      await expect(refused).rejects.toMatchObject({ code: 'PAGE_TOO_LARGE', facts: { limit: 2 * one } });
    }
  }),
  promise('answers a limit of 0 with an empty list', async (store) => {
    await commit(store, put('a'));
    expect(await ids(store, { limit: 0 })).toEqual([]);
    expect(await ids(store, { limit: 0, order: { path: 'owner', direction: 'desc' } })).toEqual([]);
  }),
  promise('counts what a condition means, or everything', async (store) => {
    await commit(store, put('a', { type: 'x' }), put('b', { type: 'y' }), put('c', { type: 'x' }));
    expect(await store.count('document', partition)).toBe(3);
    expect(await store.count('document', partition, { path: 'type', op: 'eq', value: 'x' })).toBe(2);
    expect(await store.count('document', partition, { any: [] })).toBe(0);
  }),
  promise('keeps partitions apart', async (store) => {
    await commit(store, put('1', { n: 1 }), put('1', { n: 2 }, 'policy-2'), put('2', {}, 'policy-2'));
    expect(await store.get('document', partition, '1')).toMatchObject({ n: 1 });
    expect(await store.get('document', 'policy-2', '1')).toMatchObject({ n: 2 });
    expect(await store.count('document', partition)).toBe(1);
    await commit(store, remove('1'));
    expect(await ids(store, {}, 'policy-2')).toEqual(['1', '2']);
  }),
  promise('keeps kinds apart', async (store) => {
    const token = { id: '1', tokenName: 'T', tokenSymbol: 'S', source: {} };
    await store.commit({ expect: {}, changes: [put('1'), { op: 'put', kind: 'token', partition, value: token }] });
    await commit(store, remove('1'));
    expect(await store.count('document', partition)).toBe(0);
    expect(await store.get('token', partition, '1')).toEqual(token);
  }),
  promise('takes a partition that was emptied for new records', async (store) => {
    await commit(store, put('a'), put('b'));
    await commit(store, remove('b'), remove('a'));
    expect(await store.count('document', partition)).toBe(0);
    await commit(store, put('b'));
    expect(await ids(store)).toEqual(['b']);
  }),
];
