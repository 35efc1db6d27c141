import { expect, it } from 'vitest';
import { lruCache } from './lru-cache.js';

it('gives up what was not used for longest', () => {
  const cache = lruCache<number>(2);
  cache.set('a', 1).set('b', 2);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3).set('a', 4);
  expect([...cache.entries()].sort()).toEqual([
    ['a', 4],
    ['c', 3],
  ]);
});

it('takes room for what is in it only, however much it may hold', () => {
  const cache = lruCache<number>(Number.MAX_SAFE_INTEGER);
  cache.set('a', 1);
  expect(cache.get('a')).toBe(1);
});

it('tells of what is given up, replaced and deleted', () => {
  const evicted: number[] = [];
  const cache = lruCache<number>(1, (value) => evicted.push(value));
  cache.set('a', 1).set('b', 2).set('b', 3).delete('b');
  expect(evicted).toEqual([1, 2, 3]);
});
