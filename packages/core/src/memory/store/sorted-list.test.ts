import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SortedList } from './sorted-list.js';

const ascending = (a: number, b: number): number => a - b;

describe('SortedList', () => {
  it('is always what sorting its items gives, through inserts and removals that split and empty its chunks', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat({ max: 5000 })), fc.boolean(), (numbers, fromSorted) => {
        const model = new Set<number>(fromSorted ? Array.from({ length: 2500 }, (_, n) => 2 * n) : []);
        const list = new SortedList(ascending, [...model].sort(ascending));
        for (const number of numbers.take(3000)) {
          if (model.delete(number)) list.remove(number);
          else {
            list.insert(number);
            model.add(number);
          }
        }
        const sorted = [...model].sort(ascending);
        expect([...list]).toEqual(sorted);
        expect(list.length).toBe(sorted.length);
        for (const start of [0, 1, 511, 1030, sorted.length - 3, sorted.length, sorted.length + 5]) {
          expect(list.slice(start, start + 10)).toEqual(sorted.slice(start, start + 10));
        }
        for (const number of sorted) list.remove(number);
        expect([...list]).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it('takes items in order, backwards and from the middle out', () => {
    for (const order of [(n: number) => n, (n: number) => -n, (n: number) => (n % 2 ? n : -n)]) {
      const list = new SortedList(ascending);
      const numbers = Array.from({ length: 5000 }, (_, n) => order(n));
      for (const number of numbers) list.insert(number);
      expect([...list]).toEqual(numbers.sort(ascending));
    }
  });

  it('replaces an item by its equal and ignores the removal of what it does not hold', () => {
    const list = new SortedList((a: { n: number }, b: { n: number }) => a.n - b.n, [{ n: 1 }, { n: 2 }]);
    const replacement = { n: 2 };
    list.replace(replacement);
    list.remove({ n: 3 });
    list.remove({ n: 0 });
    expect(list.slice(1, 2)[0]).toBe(replacement);
    expect(list.length).toBe(2);
  });
});
