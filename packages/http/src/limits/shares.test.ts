import { expect, it } from 'vitest';
import { Holdings } from './shares.js';

it('one holder alone may take three quarters, and the rest is for others', () => {
  const holdings = new Holdings();
  const takenBy = (holder: string): number => {
    let count = 0;
    while (holdings.take(holder, 1, 100)) count += 1;
    return count;
  };
  expect([takenBy('alice'), takenBy('bob')]).toEqual([75, 25]);
  holdings.giveBack('alice', 1);
  expect([takenBy('alice'), takenBy('bob')]).toEqual([0, 1]);
});

it('a limit too small to be shared out goes to whoever comes first', () => {
  const holdings = new Holdings();
  expect([1, 2, 3, 4].map(() => holdings.take('alice', 1, 3))).toEqual([true, true, true, false]);
});

it('a single thing that grows may take the whole limit', () => {
  const holdings = new Holdings();
  expect([holdings.take('alice', 50, 100), holdings.take('alice', 50, 100, 50)]).toEqual([true, true]);
  holdings.giveBack('alice', 100);
  expect([holdings.take('alice', 50, 100), holdings.take('alice', 50, 100)]).toEqual([true, false]);
});

it('nothing is remembered of those who hold nothing', () => {
  const holdings = new Holdings();
  holdings.take('alice', 5, 100);
  holdings.giveBack('alice', 5);
  expect(holdings.isEmpty).toBe(true);
});
