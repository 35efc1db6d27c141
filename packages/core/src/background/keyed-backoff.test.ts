import { SimulatedClock } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { KeyedBackoff } from './keyed-backoff.js';

it('ended pauses end at once, and what fails again waits longer than before', () => {
  const clock = new SimulatedClock();
  const backoff = new KeyedBackoff({ firstMs: 1_000, longestMs: 60_000 }, clock);
  const pauseAfterFailure = (): number => backoff.failed('a', new Error('down')).due - clock.now();
  const first = pauseAfterFailure();
  pauseAfterFailure();
  expect([backoff.isWaiting('a'), backoff.waitingKeys()]).toEqual([true, ['a']]);
  backoff.endPauses();
  expect([backoff.isWaiting('a'), backoff.waitingKeys(), backoff.has('a')]).toEqual([false, [], true]);
  expect(backoff.nextDue()).toBe(-Infinity);
  expect(backoff.failed('a', new Error('down')).failures).toBe(3);
  expect(backoff.isWaiting('a')).toBe(true);
  expect(first).toBeGreaterThan(0);
});

it('the next moment is the end of the first pause among what is not under way', () => {
  const clock = new SimulatedClock();
  const backoff = new KeyedBackoff({ firstMs: 1_000, longestMs: 60_000 }, clock);
  expect(backoff.nextDue()).toBeNull();
  const first = backoff.failed('a', new Error('down')).due;
  clock.advance(100);
  const second = backoff.failed('b', new Error('down')).due;
  expect(second).toBeGreaterThan(first);
  expect(backoff.nextDue()).toBe(first);
  expect(backoff.nextDue(new Set(['a']))).toBe(second);
  expect(backoff.nextDue(new Set(['b']))).toBe(first);
  expect(backoff.nextDue(new Set(['a', 'b']))).toBeNull();
});

it('what is kept keeps its pause, and everything else is forgotten', () => {
  const clock = new SimulatedClock();
  const backoff = new KeyedBackoff({ firstMs: 1_000, longestMs: 60_000 }, clock);
  for (const key of ['a', 'b', 'c']) backoff.failed(key, new Error('down'));
  backoff.keepOnly(new Set(['b', 'unknown']));
  expect([backoff.waitingKeys(), backoff.has('a'), backoff.has('b'), backoff.has('unknown')]).toEqual([
    ['b'],
    false,
    true,
    false,
  ]);
  clock.advance(1_000);
  expect([backoff.waitingKeys(), backoff.has('b')]).toEqual([[], true]);
  expect(backoff.failed('a', new Error('down')).failures).toBe(1);
});
