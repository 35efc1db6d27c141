/** Promises about reopening. */
import { expect } from 'vitest';
import { durablePromise, type ConformanceCase } from './conformance-case.js';
import { hostileTexts } from './addressing.js';
import { commit, doc, ids, partition, put, remove } from './sample-records.js';

export const durability: readonly ConformanceCase[] = [
  durablePromise('keeps records, deletions and overwritten values', async (store, reopen) => {
    await commit(store, put('a', { n: 1 }), put('b'), put('c', {}, 'other'));
    await commit(store, put('a', { n: 2 }), remove('b'));
    const again = await reopen();
    expect(await again.find('document', partition)).toEqual([doc('a', { n: 2 })]);
    expect(await ids(again, {}, 'other')).toEqual(['c']);
  }),
  durablePromise('keeps and continues the order of insertion', async (store, reopen) => {
    const shuffled = Array.from({ length: 100 }, (_, n) => `d${(n * 37) % 100}`);
    for (const id of shuffled) await commit(store, put(id));
    await commit(store, put('d0', { changed: true }), remove('d1'));
    const again = await reopen();
    await commit(again, put('d1'), put('first', { changed: true }));
    expect(await ids(again)).toEqual([...shuffled.filter((id) => id !== 'd1'), 'd1', 'first']);
    expect(await ids(await reopen())).toEqual([...shuffled.filter((id) => id !== 'd1'), 'd1', 'first']);
  }),
  durablePromise('keeps revisions, so that an old expectation still conflicts', async (store, reopen) => {
    for (let n = 0; n < 5; n++) await store.commit({ expect: { k: n }, changes: [put('a', { n })] });
    const again = await reopen();
    expect([await again.revision('k'), await again.revision('l')]).toEqual([5, 0]);
    await expect(again.commit({ expect: { k: 4 }, changes: [] })).rejects.toMatchObject({ code: 'CONFLICT' });
    await again.commit({ expect: { k: 5 }, changes: [] });
  }),
  durablePromise('keeps records, partitions, members and revision keys of any name', async (store, reopen) => {
    const option = Object.fromEntries(hostileTexts.map((text, n) => [text, n]));
    const expected = Object.fromEntries(hostileTexts.map((text) => [text, 0]));
    await store.commit({
      expect: expected,
      changes: hostileTexts.flatMap((text) => [put(text), put(text, { option }, text)]),
    });
    const again = await reopen();
    // The partition that all were put into is not among the texts.
    expect(await ids(again)).toEqual(hostileTexts);
    for (const text of hostileTexts) {
      const documents = await again.find('document', text);
      expect(documents.map(({ id }) => id)).toEqual([text]);
      expect(Object.entries(documents[0]?.option ?? {}).sort()).toEqual(Object.entries(option).sort());
      expect(await again.revision(text)).toBe(1);
    }
  }),
  durablePromise('keeps a value of a mebibyte', async (store, reopen) => {
    const text = '\u2028äb\n"'.repeat(2 ** 20 / 8);
    await commit(store, put('a', { text }));
    expect(await (await reopen()).get('document', partition, 'a')).toEqual(doc('a', { text }));
  }),
  durablePromise('keeps nothing of a commit that was refused', async (store, reopen) => {
    await store.commit({ expect: { k: 0 }, changes: [put('a')] });
    await expect(store.commit({ expect: { k: 0 }, changes: [put('b'), remove('a')] })).rejects.toThrow();
    const again = await reopen();
    expect(await ids(again)).toEqual(['a']);
    expect(await again.revision('k')).toBe(1);
  }),
  durablePromise('keeps every commit that was under way when it was closed', async (store, reopen) => {
    const all = Array.from({ length: 50 }, (_, n) => `d${n}`);
    const committing = all.map((id) => commit(store, put(id)));
    const again = await reopen();
    await Promise.all(committing);
    expect(await ids(again)).toEqual(all);
  }),
  durablePromise('keeps all of it through ten openings, whether or not anything was changed', async (store, reopen) => {
    await commit(store, put('start'));
    for (let n = 0; n < 10; n++) {
      const again = await reopen();
      expect(await again.count('document', partition)).toBe(1 + Math.ceil(n / 2));
      if (n % 2 === 0) await commit(again, put(`d${n}`));
    }
    expect(await ids(await reopen())).toEqual(['start', 'd0', 'd2', 'd4', 'd6', 'd8']);
  }),
  durablePromise('keeps a partition empty whose records are all gone', async (store, reopen) => {
    await commit(store, put('a'));
    const again = await reopen();
    await commit(again, remove('a'));
    const third = await reopen();
    expect(await third.find('document', partition)).toEqual([]);
  }),
  durablePromise('keeps the order of many records through changes in their midst', async (store, reopen) => {
    const all = Array.from({ length: 1500 }, (_, n) => `d${n}`);
    await commit(store, ...all.map((id) => put(id, { text: 'x'.repeat(500) })));
    const again = await reopen();
    await commit(again, put('d700', { changed: true }), remove('d701'), put('d1'));
    expect(await ids(await reopen())).toEqual(all.filter((id) => id !== 'd701'));
  }),
];
