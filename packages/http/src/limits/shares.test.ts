import { expect, it } from 'vitest';
import { Holdings } from './shares.js';

it('one holder alone may take three quarters, and the rest is for others', () => {
  const held = new Holdings();
  const taken = (holder: string): number => {
    let count = 0;
    while (held.take(holder, 1, 100)) count += 1;
    return count;
  };
  expect([taken('alice'), taken('bob')]).toEqual([75, 25]);
  held.giveBack('alice', 1);
  expect([taken('alice'), taken('bob')]).toEqual([0, 1]);
});

it('a limit too small to be shared out goes to whoever comes first', () => {
  const held = new Holdings();
  expect([1, 2, 3, 4].map(() => held.take('alice', 1, 3))).toEqual([true, true, true, false]);
});

it('a single thing that grows may take the whole limit', () => {
  const held = new Holdings();
  expect([held.take('alice', 50, 100), held.take('alice', 50, 100, 50)]).toEqual([true, true]);
  held.giveBack('alice', 100);
  expect([held.take('alice', 50, 100), held.take('alice', 50, 100)]).toEqual([true, false]);
});

it('nothing is remembered of those who hold nothing', () => {
  const held = new Holdings();
  held.take('alice', 5, 100);
  held.giveBack('alice', 5);
  expect(held.isEmpty).toBe(true);
});
