import { describe, expect, it } from 'vitest';
import { sizeBoundedCache } from './validators.js';

const [one, two, three] = [{ n: 1 }, { n: 2 }, { n: 3 }];

describe('a size-bounded cache', () => {
  it('evicts the least recently used value when there is no room', () => {
    const cache = sizeBoundedCache(10);
    cache.set('aaaa', one);
    cache.set('bbbb', two);
    expect(cache.get('aaaa')).toBe(one);
    cache.set('cccc', three);
    expect([cache.get('aaaa'), cache.get('bbbb'), cache.get('cccc')]).toEqual([one, undefined, three]);
    expect(cache.calculatedSize).toBe(8);
  });

  it('counts a key once, however often it is set', () => {
    const cache = sizeBoundedCache(10);
    cache.set('aaaa', one);
    cache.set('aaaa', two);
    expect([cache.get('aaaa'), cache.calculatedSize]).toEqual([two, 4]);
  });

  it('does not keep a key that is too long on its own', () => {
    const cache = sizeBoundedCache(3);
    cache.set('aaaa', one);
    expect([cache.get('aaaa'), cache.calculatedSize]).toEqual([undefined, 0]);
  });
});
