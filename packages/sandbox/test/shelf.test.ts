import { expect, it } from 'vitest';
import { Shelf } from '../src/memory/shelf.js';

it('refuses what it has no room for, and keeps what was there', () => {
  const shelf = new Shelf<string>({ what: 'words', count: 2, bytes: 12, whenFull: 'refuse' });
  shelf.put('a', 'one');
  shelf.put('b', 'two');
  expect(() => shelf.put('c', 'x')).toThrow('no room for more words, the limit 2, or 12 bytes');
  expect(() => shelf.put('a', 'eleven')).toThrow('no room');
  expect(shelf.values()).toEqual(['one', 'two']);
  shelf.put('a', 'four');
  expect([shelf.delete('b'), shelf.delete('b')]).toEqual([true, false]);
  shelf.put('c', 'five');
  expect(shelf.values()).toEqual(['four', 'five']);
});

it('or forgets the oldest, as many as it must, but takes nothing that is too large by itself', () => {
  const shelf = new Shelf<string>({ what: 'words', count: 3, bytes: 15, whenFull: 'forget-oldest' });
  for (const word of ['one', 'two', 'six']) shelf.put(word, word);
  shelf.put('d', 'seventy');
  expect(shelf.values()).toEqual(['six', 'seventy']);
  expect(() => shelf.put('e', 'x'.repeat(14))).toThrow('no room');
  expect(shelf.get('d')).toBe('seventy');
});
