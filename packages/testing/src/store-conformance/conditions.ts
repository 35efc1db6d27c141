/** Promises about conditions of queries. */
import type { Condition, Json } from '@blockwork/core/adapter';
import { everything, matches } from '@blockwork/core/adapter';
import { expect } from 'vitest';
import { promise, type ConformanceCase } from './conformance-case.js';
import { commit, doc, ids, partition, put } from './sample-records.js';

/** `type` and `document.id` are paths that stores keep an index for, `n` and `flag` are not. */
const samples: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  a: { type: 'x', n: 1, flag: true, document: { id: 'one' }, list: ['p', 'q'] },
  b: { type: 'y', n: 2, flag: false, document: { id: 'two' }, list: [] },
  c: { type: ['x', 'z'], n: '2', document: { id: null }, list: [['p'], 3] },
  d: { type: null, n: 10, document: {}, list: { p: 1, q: [2] } },
  e: { n: -0.5, flag: null, document: { id: ['two', null] }, list: [null] },
};

const means = (sentence: string, where: Condition, expected: readonly string[]): ConformanceCase =>
  promise(`with ${sentence}`, async (store) => {
    await commit(store, ...Object.entries(samples).map(([id, members]) => put(id, members)));
    expect(await ids(store, { where })).toEqual(expected);
    expect(await store.count('document', partition, where)).toBe(expected.length);
    const order = { path: 'n', direction: 'desc' } as const;
    expect((await ids(store, { where, order })).sort()).toEqual(expected);
  });

const comparing = (path: string, op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte', value: Json): Condition => ({
  path,
  op,
  value,
});
const among = (path: string, op: 'in' | 'nin', ...value: Json[]): Condition => ({ path, op, value });

const isX = comparing('type', 'eq', 'x');
const isTwo = comparing('n', 'eq', 2);

export const conditions: readonly ConformanceCase[] = [
  means('`eq` to a text, finds that text and lists that hold it', isX, ['a', 'c']),
  means('`eq` to a number, does not find the text of the same digits', isTwo, ['b']),
  means('`eq` to a boolean, finds only that', comparing('flag', 'eq', false), ['b']),
  means('`eq` to null, finds null and what is missing', comparing('flag', 'eq', null), ['c', 'd', 'e']),
  means('`eq` to null, finds it in lists and at indexed paths', comparing('document.id', 'eq', null), ['c', 'd', 'e']),
  means('`eq` to null, does not find an empty list', comparing('list', 'eq', null), ['e']),
  means('`eq` to a list, finds that whole list', comparing('list', 'eq', ['p', 'q']), ['a']),
  means('`eq` to a value, finds it in a list within a list', comparing('list', 'eq', 'p'), ['a', 'c']),
  means('`eq` to an object, finds it whatever the order of its members', comparing('list', 'eq', { q: [2], p: 1 }), [
    'd',
  ]),
  means('`ne`, finds everything else and what is missing', comparing('type', 'ne', 'x'), ['b', 'd', 'e']),
  means('`ne` to null, finds only what is there', comparing('flag', 'ne', null), ['a', 'b']),
  means('`in`, finds what equals one of the values, each record once', among('type', 'in', 'z', 'y', 'x'), [
    'a',
    'b',
    'c',
  ]),
  means('`in` with null, finds what is missing too', among('type', 'in', 'y', null), ['b', 'd', 'e']),
  means('`in` of nothing, finds nothing', among('type', 'in'), []),
  means('`in` with an object among its values, finds it', among('list', 'in', { p: 1, q: [2] }, 3), ['c', 'd']),
  means('`nin`, finds what `in` leaves', among('type', 'nin', 'y', 'z'), ['a', 'd', 'e']),
  means('`nin` of nothing, finds everything', among('type', 'nin'), ['a', 'b', 'c', 'd', 'e']),
  means('`gt`, finds greater numbers only', comparing('n', 'gt', 1), ['b', 'd']),
  means('`gte`, finds greater and equal numbers', comparing('n', 'gte', 1), ['a', 'b', 'd']),
  means('`lt`, finds smaller numbers only', comparing('n', 'lt', 1), ['e']),
  means('`lte`, finds smaller and equal numbers', comparing('n', 'lte', 1), ['a', 'e']),
  means('`gt` and a text, compares texts only', comparing('n', 'gt', '10'), ['c']),
  means('`lt` and a text, compares by code units', comparing('document.id', 'lt', 'p'), ['a']),
  means('a range and null, finds nothing', comparing('flag', 'gte', null), []),
  means('`all` of nothing, finds everything', { all: [] }, ['a', 'b', 'c', 'd', 'e']),
  means('`any` of nothing, finds nothing', { any: [] }, []),
  means('`all`, finds what meets every part', { all: [isX, comparing('n', 'eq', '2')] }, ['c']),
  means('`any`, finds what meets one part', { any: [isX, isTwo] }, ['a', 'b', 'c']),
  means('`not`, finds the rest', { not: isX }, ['b', 'd', 'e']),
  means(
    'conditions within conditions, finds what they mean together',
    { all: [{ any: [isX, isTwo] }, { not: { all: [isX, comparing('flag', 'eq', true)] } }, { all: [] }] },
    ['b', 'c'],
  ),
  means('a path to a list position or its last element, looks there', comparing('list.1', 'eq', 'q'), ['a']),
  means('a path that ends in `L`, looks at the last element', comparing('list.L', 'eq', 3), ['c']),
  means(
    'a path that ends inside a text, finds it missing',
    comparing('type.length', 'eq', null),
    ['a', 'b', 'd', 'e', 'c'].sort(),
  ),
  means('a path to an inherited member, finds it missing', comparing('constructor', 'eq', null), [
    'a',
    'b',
    'c',
    'd',
    'e',
  ]),
  means('an `id`, finds the one record', among('id', 'in', 'd', 'b', 'none'), ['b', 'd']),

  promise('finds the same by a condition in a large partition, before and after changes', async (store) => {
    // Stores read large results in several pieces.
    const rows = Array.from({ length: 1300 }, (_, n) =>
      doc(`d${n}`, { ...samples[['a', 'b', 'c', 'd', 'e'][n % 5] ?? ''], n }),
    );
    const change = async (...changed: typeof rows): Promise<void> =>
      store.commit({
        expect: {},
        changes: changed.map((value) => ({ op: 'put', kind: 'document', partition, value })),
      });
    await change(...rows);
    const conditions: Condition[] = [
      isX,
      { not: isX },
      among('document.id', 'in', 'one', null),
      comparing('n', 'lt', 1111),
      everything,
    ];
    for (let round = 0; round < 3; round++) {
      for (const where of conditions) {
        const expected = rows.filter((row) => matches(row, where));
        expect(await store.find('document', partition, { where })).toEqual(expected);
        const order = { path: 'n', direction: 'desc' } as const;
        expect(await store.find('document', partition, { where, order, limit: 7 })).toEqual(
          [...expected].sort((one, other) => Number(other.n) - Number(one.n)).slice(0, 7),
        );
      }
      const position = 50 * round;
      rows[position] = doc(`d${position}`, { type: 'x', n: 1000 + round });
      await change(...rows.slice(position, position + 1));
    }
  }),
];
