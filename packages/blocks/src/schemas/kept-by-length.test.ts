import { describe, expect, it } from 'vitest';
import { KeptByLength } from './kept-by-length.js';

describe('what is kept by length', () => {
  it('goes when there is no room, the longest unused first', () => {
    const kept = new KeptByLength<number>(10);
    kept.set('aaaa', 1);
    kept.set('bbbb', 2);
    expect(kept.get('aaaa')).toBe(1);
    kept.set('cccc', 3);
    expect([kept.get('aaaa'), kept.get('bbbb'), kept.get('cccc')]).toEqual([1, undefined, 3]);
    expect(kept.characters).toBe(8);
  });

  it('is counted once, however often it is set', () => {
    const kept = new KeptByLength<number>(10);
    kept.set('aaaa', 1);
    kept.set('aaaa', 2);
    expect([kept.get('aaaa'), kept.characters]).toEqual([2, 4]);
  });

  it('does not hold what is too long on its own', () => {
    const kept = new KeptByLength<number>(3);
    kept.set('aaaa', 1);
    expect([kept.get('aaaa'), kept.characters]).toEqual([undefined, 0]);
  });
});
