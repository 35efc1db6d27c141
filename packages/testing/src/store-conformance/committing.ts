/** Promises about commits: atomicity and compare-and-set. */
import { expect } from 'vitest';
import { promise, type ConformanceCase } from './conformance-case.js';
import { commit, doc, ids, partition, put, remove } from './sample-records.js';

export const committing: readonly ConformanceCase[] = [
  promise('changes records of several kinds and partitions in one commit', async (store) => {
    await commit(store, put('old', {}, 'policy-2'));
    const token = { id: 't', tokenName: 'T', tokenSymbol: 'S', source: {} };
    await store.commit({
      expect: { [partition]: 0 },
      changes: [put('1'), { op: 'put', kind: 'token', partition, value: token }, remove('old', 'policy-2')],
    });
    expect(await ids(store)).toEqual(['1']);
    expect(await store.get('token', partition, 't')).toEqual(token);
    expect(await ids(store, {}, 'policy-2')).toEqual([]);
  }),
  promise('makes the changes of a commit in their order: the later one of a record wins', async (store) => {
    await commit(store, put('a', { n: 1 }), put('b'), put('a', { n: 2 }), remove('b'), remove('c'), put('c'));
    expect(await store.find('document', partition)).toEqual([doc('a', { n: 2 }), doc('c')]);
    await commit(store, remove('a'), put('a', { n: 3 }));
    expect(await ids(store)).toEqual(['c', 'a']);
  }),
  promise('changes nothing by deleting a record that does not exist', async (store) => {
    await commit(store, put('a'));
    await commit(store, remove('b'), remove('a', 'other'));
    expect(await ids(store)).toEqual(['a']);
  }),
  promise('takes a commit that changes nothing', async (store) => {
    await commit(store);
    expect(await store.count('document', partition)).toBe(0);
  }),
  promise('gives 0 as the revision of a key that no commit has named', async (store) => {
    await commit(store, put('a'));
    expect(await store.revision(partition)).toBe(0);
  }),
  promise('moves every expected revision up by one, and no other', async (store) => {
    await store.commit({ expect: { k: 0, l: 0 }, changes: [] });
    await store.commit({ expect: { k: 1 }, changes: [put('a')] });
    expect([await store.revision('k'), await store.revision('l'), await store.revision('m')]).toEqual([2, 1, 0]);
  }),
  promise('moves the revision of a commit that changes no record', async (store) => {
    await store.commit({ expect: { k: 0 }, changes: [] });
    await expect(store.commit({ expect: { k: 0 }, changes: [put('a')] })).rejects.toMatchObject({ code: 'CONFLICT' });
  }),
  promise('refuses a commit whose expectation has passed, with CONFLICT, and changes nothing', async (store) => {
    await store.commit({ expect: { k: 0 }, changes: [put('a', { n: 1 })] });
    const late = store.commit({ expect: { k: 0 }, changes: [put('a', { n: 2 }), put('b'), remove('a')] });
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT', retryable: true, facts: { key: 'k' } });
    expect(await store.find('document', partition)).toEqual([doc('a', { n: 1 })]);
    expect(await store.revision('k')).toBe(1);
  }),
  promise('refuses a commit that expects a revision which is still to come', async (store) => {
    await expect(store.commit({ expect: { k: 1 }, changes: [put('a')] })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await ids(store)).toEqual([]);
    expect(await store.revision('k')).toBe(0);
  }),
  promise('moves no revision when one of several has moved', async (store) => {
    await store.commit({ expect: { moved: 0 }, changes: [] });
    const late = store.commit({ expect: { first: 0, moved: 0, last: 0 }, changes: [put('a')] });
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT', facts: { key: 'moved' } });
    expect([await store.revision('first'), await store.revision('last')]).toEqual([0, 0]);
    expect(await ids(store)).toEqual([]);
  }),
  promise('takes a commit again after a conflict, with the revision read again', async (store) => {
    await store.commit({ expect: { k: 0 }, changes: [] });
    await expect(store.commit({ expect: { k: 0 }, changes: [put('a')] })).rejects.toMatchObject({ code: 'CONFLICT' });
    await store.commit({ expect: { k: await store.revision('k') }, changes: [put('a')] });
    expect(await ids(store)).toEqual(['a']);
  }),
  promise('lets a commit without expectations through whatever the revisions are', async (store) => {
    await store.commit({ expect: { [partition]: 0 }, changes: [put('a')] });
    await commit(store, put('b'));
    expect(await ids(store)).toEqual(['a', 'b']);
    expect(await store.revision(partition)).toBe(1);
  }),
  promise('keeps the revision of a policy whose records are all gone', async (store) => {
    await store.commit({ expect: { [partition]: 0 }, changes: [put('a')] });
    await store.commit({ expect: { [partition]: 1 }, changes: [remove('a')] });
    expect(await store.revision(partition)).toBe(2);
  }),
  promise('shows a commit to the reads that follow its acknowledgement', async (store) => {
    for (let n = 0; n < 20; n++) {
      await store.commit({ expect: { k: n }, changes: [put('a', { n })] });
      expect(await store.get('document', partition, 'a')).toMatchObject({ n });
      expect(await store.revision('k')).toBe(n + 1);
    }
  }),
  promise('shows nothing of a commit over several partitions and kinds that was refused', async (store) => {
    await store.commit({ expect: { k: 0 }, changes: [put('a')] });
    const token = { id: 't', tokenName: '', tokenSymbol: '', source: {} };
    const late = store.commit({
      expect: { k: 0 },
      changes: [put('b'), put('b', {}, 'policy-2'), { op: 'put', kind: 'token', partition, value: token }, remove('a')],
    });
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' });
    expect([await ids(store), await ids(store, {}, 'policy-2')]).toEqual([['a'], []]);
    expect(await store.count('token', partition)).toBe(0);
  }),
];
