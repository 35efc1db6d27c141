/** Promises about history kinds, which a store may keep separately from other records. */
import type { Change, PolicyStore } from '@blockwork/core/adapter';
import type { JournalEntry } from '@blockwork/core/records';
import { expect } from 'vitest';
import { durablePromise, promise, type ConformanceCase } from './conformance-case.js';
import { commit, partition } from './sample-records.js';

const idOf = (n: number): string => String(n).padStart(12, '0');
const entry = (n: number, tag = 'grid'): JournalEntry => ({
  id: idOf(n),
  at: '2026-01-01T00:00:00.000Z',
  cause: { type: 'send', tag, did: 'did:example:alice', group: null },
  events: [],
  documents: { added: [], changed: [], removed: [] },
  effects: [],
  warnings: [],
});
const put = (n: number, tag?: string): Change => ({ op: 'put', kind: 'journal', partition, value: entry(n, tag) });
const remove = (n: number): Change => ({ op: 'delete', kind: 'journal', partition, id: idOf(n) });
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
const append = (store: PolicyStore, count: number): Promise<void> => commit(store, ...upTo(count).map((n) => put(n)));
const numbers = (entries: readonly JournalEntry[]): number[] => entries.map(({ id }) => Number(id));

export const history: readonly ConformanceCase[] = [
  promise('reads history page by page, oldest or newest first', async (store) => {
    await append(store, 30);
    expect(numbers(await store.find('journal', partition, { offset: 10, limit: 3 }))).toEqual([11, 12, 13]);
    const newest = { order: { path: 'id', direction: 'desc' }, limit: 2 } as const;
    expect(numbers(await store.find('journal', partition, newest))).toEqual([30, 29]);
    expect(numbers(await store.find('journal', partition, { offset: 29, limit: 10 }))).toEqual([30]);
    const after = { path: 'id', op: 'gt', value: idOf(20) } as const;
    const next = { where: after, order: { path: 'id', direction: 'asc' }, limit: 2 } as const;
    expect(numbers(await store.find('journal', partition, next))).toEqual([21, 22]);
    expect(numbers(await store.find('journal', partition, { where: after, offset: 8 }))).toEqual([29, 30]);
    expect(await store.count('journal', partition)).toBe(30);
    expect(await store.get('journal', partition, idOf(7))).toEqual(entry(7));
  }),
  promise('finds entries of history by what they hold', async (store) => {
    await append(store, 10);
    await commit(store, put(11, 'form'), put(12), put(13, 'form'));
    const where = { path: 'cause.tag', op: 'eq', value: 'form' } as const;
    expect(numbers(await store.find('journal', partition, { where }))).toEqual([11, 13]);
    expect(await store.count('journal', partition, where)).toBe(2);
  }),
  promise('removes the oldest entries of history, and those that it is told', async (store) => {
    await append(store, 20);
    await commit(store, ...upTo(8).map(remove), remove(15), remove(99), put(21));
    const numbersLeft = [
      ...upTo(20)
        .slice(8)
        .filter((n) => n !== 15),
      21,
    ];
    expect(numbers(await store.find('journal', partition))).toEqual(numbersLeft);
    expect(await store.count('journal', partition)).toBe(numbersLeft.length);
    expect(await store.get('journal', partition, idOf(3))).toBeUndefined();
  }),
  promise('keeps the place of an entry of history that is overwritten', async (store) => {
    await append(store, 5);
    await commit(store, put(2, 'form'));
    const entries = await store.find('journal', partition);
    expect(numbers(entries)).toEqual(upTo(5));
    expect(entries[1]).toEqual(entry(2, 'form'));
  }),
  durablePromise('reads the same history after it was reopened, and goes on with it', async (store, reopen) => {
    await append(store, 40);
    await commit(store, ...upTo(5).map(remove));
    const before = await store.find('journal', partition);
    const again = await reopen();
    expect(await again.find('journal', partition)).toEqual(before);
    await commit(again, remove(6), put(41), put(20, 'form'));
    const expected = before.slice(1).map((each) => (each.id === idOf(20) ? entry(20, 'form') : each));
    const reopened = await reopen();
    expect(await reopened.find('journal', partition)).toEqual([...expected, entry(41)]);
  }),
];
