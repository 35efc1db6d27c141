import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerLot, SerialRange } from '../records/index.js';
import { newLot, takeFrom, takeSerials } from './lots.js';

const serialsOf = (ranges: readonly SerialRange[]): number[] =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));

/** Lots with gaps between them, in any order. */
const lots: fc.Arbitrary<LedgerLot[]> = fc
  .array(fc.record({ gap: fc.nat(3), size: fc.integer({ min: 1, max: 5 }) }), { maxLength: 6 })
  .map((rows) => {
    let next = 1;
    return rows.map(({ gap, size }) => {
      const first = next + gap;
      next = first + size;
      return newLot('0.0.1', '0.0.2', [first, next - 1]);
    });
  })
  .chain((allLots) => fc.shuffledSubarray(allLots, { minLength: allLots.length }));

describe('lots', () => {
  it('give their lowest serials first, and keep the others', () => {
    const lots = [newLot('t', 'a', [10, 12]), newLot('t', 'a', [1, 2])];
    expect(takeFrom(lots, 3n)).toEqual({
      serials: [
        [1, 2],
        [10, 10],
      ],
      lots: ['t/1', 't/10'],
      rest: [[11, 12]],
    });
    expect(takeFrom(lots, 0n)).toEqual({ serials: [], lots: [], rest: [] });
  });

  it('lose exactly the serials that were taken, whatever they are', () => {
    fc.assert(
      fc.property(lots, fc.nat(40), (lots, wanted) => {
        const before = serialsOf(lots.map(({ first, last }) => [first, last])).sort((a, b) => a - b);
        const count = Math.min(wanted, before.length);
        const { serials: takenSerials, lots: used, rest } = takeFrom(lots, BigInt(count));
        const remaining = lots
          .filter(({ id }) => !used.includes(id))
          .map(({ first, last }): SerialRange => [first, last]);
        const after = serialsOf([...remaining, ...rest]).sort((a, b) => a - b);
        expect(serialsOf(takenSerials)).toEqual(before.slice(0, count));
        expect(after).toEqual(before.slice(count));
      }),
    );
  });
});

describe('serials that are named', () => {
  it('are taken from wherever they are, and the first that is missing is told', () => {
    const lots = [newLot('t', 'a', [1, 5]), newLot('t', 'a', [6, 8]), newLot('t', 'a', [10, 12])];
    const takeOf = (serials: SerialRange[]) => takeSerials(lots, serials);
    expect(
      takeOf([
        [11, 11],
        [2, 3],
        [5, 6],
      ]),
    ).toEqual([
      {
        serials: [
          [2, 3],
          [5, 5],
          [6, 6],
          [11, 11],
        ],
        lots: ['t/1', 't/6', 't/10'],
        rest: [
          [1, 1],
          [4, 4],
          [7, 8],
          [10, 10],
          [12, 12],
        ],
      },
      null,
    ]);
    expect([[[8, 10]], [[12, 13]], [[20, 20]]].map((each) => takeOf(each as SerialRange[])[1])).toEqual([9, 13, 20]);
  });

  it('are exactly those that are gone afterwards', () => {
    fc.assert(
      fc.property(lots, fc.integer({ min: 0, max: 2 ** 30 }), (lots, choice) => {
        const before = serialsOf(lots.map(({ first, last }) => [first, last])).sort((a, b) => a - b);
        const named = before.filter((_, at) => (choice >> (at % 30)) & 1);
        const [{ serials: takenSerials, lots: used, rest }, missing] = takeSerials(
          lots,
          named.map((serial) => [serial, serial]),
        );
        const remaining = lots
          .filter(({ id }) => !used.includes(id))
          .map(({ first, last }): SerialRange => [first, last]);
        expect(missing).toBeNull();
        expect(serialsOf(takenSerials)).toEqual(named);
        const after = serialsOf([...remaining, ...rest]).sort((a, b) => a - b);
        expect(after).toEqual(before.filter((serial) => !named.includes(serial)));
      }),
    );
  });
});
