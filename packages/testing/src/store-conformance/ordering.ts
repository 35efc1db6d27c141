/** Promises about the order of results. */
import type { Json, Order, PolicyStore } from '@blockwork/core/adapter';
import { expect } from 'vitest';
import { promise, type ConformanceCase } from './conformance-case.js';
import { commit, ids, put, remove } from './sample-records.js';

const asc = (path: string): { order: Order } => ({ order: { path, direction: 'asc' } });
const desc = (path: string): { order: Order } => ({ order: { path, direction: 'desc' } });

/** Puts one record for each value, its id saying where it stands in the list. */
const putAll = (store: PolicyStore, values: readonly Json[]): Promise<void> =>
  commit(store, ...values.map((n, index) => put(String(index), { n })));

export const ordering: readonly ConformanceCase[] = [
  promise('orders by a path, upwards and downwards', async (store) => {
    await putAll(store, [3, 1, 2]);
    expect(await ids(store, asc('n'))).toEqual(['1', '2', '0']);
    expect(await ids(store, desc('n'))).toEqual(['0', '2', '1']);
  }),
  promise('keeps the order of insertion among equal values, and exactly reverses it downwards', async (store) => {
    await putAll(store, ['b', 'a', 'b', 'a', 'b']);
    expect(await ids(store, asc('n'))).toEqual(['1', '3', '0', '2', '4']);
    expect(await ids(store, desc('n'))).toEqual(['4', '2', '0', '3', '1']);
  }),
  promise('orders nothing, false, true, numbers, texts, then lists and objects', async (store) => {
    await putAll(store, [[1], 'a', 10, true, null, false, 9, '', { a: 1 }, -1]);
    await commit(store, put('missing'));
    expect(await ids(store, asc('n'))).toEqual(['4', 'missing', '5', '3', '9', '6', '2', '7', '1', '0', '8']);
  }),
  promise('orders numbers by value and texts by UTF-16 code units', async (store) => {
    await putAll(store, [10, 9, 1.5, -2, '10', '9', 'a', 'B', 'ä', '\u{1f600}', '\uff5e']);
    expect(await ids(store, asc('n'))).toEqual(['3', '2', '1', '0', '4', '5', '7', '6', '8', '9', '10']);
  }),
  promise('orders by paths into objects and lists', async (store) => {
    await commit(
      store,
      put('x', { option: { when: 2 }, list: [5, 1] }),
      put('y', { option: { when: 1 }, list: [4, 9, 2] }),
    );
    expect(await ids(store, asc('option.when'))).toEqual(['y', 'x']);
    expect(await ids(store, asc('list.0'))).toEqual(['y', 'x']);
    expect(await ids(store, asc('list.L'))).toEqual(['x', 'y']);
    expect(await ids(store, asc('list.1'))).toEqual(['x', 'y']);
  }),
  promise('moves a record to where its new value belongs', async (store) => {
    await putAll(store, [1, 2, 3]);
    expect(await ids(store, asc('n'))).toEqual(['0', '1', '2']);
    await commit(store, put('0', { n: 9 }));
    expect(await ids(store, asc('n'))).toEqual(['1', '2', '0']);
    await commit(store, put('0', { n: 2 }));
    expect(await ids(store, asc('n'))).toEqual(['0', '1', '2']);
  }),
  promise('gives pages that put together are the whole list, each record once', async (store) => {
    await commit(store, ...Array.from({ length: 137 }, (_, n) => put(`d${n}`, { n: (n * 7) % 10 })));
    for (const query of [asc('n'), desc('n'), desc('missing'), {}]) {
      const whole = await ids(store, query);
      expect(new Set(whole).size).toBe(137);
      for (const limit of [1, 10, 50, 137, 200]) {
        const pages: string[] = [];
        for (let offset = 0; offset < 137; offset += limit)
          pages.push(...(await ids(store, { ...query, offset, limit })));
        expect(pages).toEqual(whole);
      }
    }
  }),
  promise('shows every commit in the page that is read next', async (store) => {
    await commit(store, ...Array.from({ length: 100 }, (_, n) => put(`d${n}`, { n: 2 * n, type: 'x' })));
    const page = { ...asc('n'), where: { path: 'type', op: 'eq', value: 'x' }, offset: 10, limit: 2 } as const;
    expect(await ids(store, page)).toEqual(['d10', 'd11']);
    await commit(store, put('new', { n: 19, type: 'x' }));
    expect(await ids(store, page)).toEqual(['new', 'd10']);
    await commit(store, put('d0', { n: 0, type: 'y' }));
    expect(await ids(store, page)).toEqual(['d10', 'd11']);
    expect(await store.count('document', 'policy-1', page.where)).toBe(100);
  }),
  promise('gives the same pages again while other partitions and kinds change', async (store) => {
    await commit(store, ...Array.from({ length: 90 }, (_, n) => put(`d${n}`, { n: n % 4 })));
    const pages = async (): Promise<string[][]> =>
      Promise.all([0, 20, 40].map((offset) => ids(store, { ...asc('n'), offset, limit: 20 })));
    const before = await pages();
    const token = { id: 'd1', tokenName: '', tokenSymbol: '', source: {} };
    await commit(
      store,
      { op: 'put', kind: 'token', partition: 'policy-1', value: token },
      put('d1', { n: 9 }, 'other'),
    );
    expect(await pages()).toEqual(before);
  }),
  promise('leaves a page as it is when records behind it come, change and go', async (store) => {
    await commit(store, ...Array.from({ length: 90 }, (_, n) => put(`d${n}`)));
    const first = await ids(store, { offset: 10, limit: 10 });
    await commit(store, put('d50', { changed: true }), remove('d60'), put('new'));
    expect(await ids(store, { offset: 10, limit: 10 })).toEqual(first);
  }),
];
