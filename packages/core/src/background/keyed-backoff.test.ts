import { SimulatedClock } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { KeyedBackoff } from './keyed-backoff.js';

it('ended pauses end at once, and what fails again waits longer than before', () => {
  const clock = new SimulatedClock();
  const backoff = new KeyedBackoff({ firstMs: 1_000, longestMs: 60_000 }, clock);
  const pauseAfterFailure = (): number => backoff.failed('a', new Error('down')).due - clock.now();
  const first = pauseAfterFailure();
  pauseAfterFailure();
  expect([backoff.isWaiting('a'), backoff.waiting()]).toEqual([true, ['a']]);
  backoff.endPauses();
  expect([backoff.isWaiting('a'), backoff.waiting(), backoff.has('a')]).toEqual([false, [], true]);
  expect(backoff.nextDue()).toBe(-Infinity);
  expect(backoff.failed('a', new Error('down')).failures).toBe(3);
  expect(backoff.isWaiting('a')).toBe(true);
  expect(first).toBeGreaterThan(0);
});
