import { SimulatedClock } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { FollowedJournals, followingKeysOf } from './event-hub.js';

it('knows of a journal that is followed elsewhere for as long as somebody says so', () => {
  const clock = new SimulatedClock();
  const followed = new FollowedJournals(clock);
  expect(followed.has('p')).toBe(false);
  for (let second = 0; second < 10; second += 1) {
    followed.onNotified(new Set([...followingKeysOf(['p']), 'timer']));
    clock.advance(1_000);
  }
  expect([followed.has('p'), followed.has('q')]).toEqual([true, false]);
  clock.advance(2_000);
  expect(followed.has('p')).toBe(false);
});

it('takes any journal for followed where it may have missed something', () => {
  const clock = new SimulatedClock();
  const followed = new FollowedJournals(clock);
  followed.onNotified('all');
  expect(followed.has('p')).toBe(true);
  clock.advance(3_000);
  expect(followed.has('p')).toBe(false);
});

it('says in one name that many are followed, and any may be', () => {
  const clock = new SimulatedClock();
  const followed = new FollowedJournals(clock);
  const many = Array.from({ length: 1_000 }, (_, at) => `${'p'.repeat(190)}${String(at)}`);
  for (const count of [1, 30, 1_000]) {
    expect(JSON.stringify(followingKeysOf(many.slice(0, count))).length).toBeLessThan(7_000);
  }
  followed.onNotified(new Set(followingKeysOf(many)));
  expect([followed.has(many[999] ?? ''), followed.has('q')]).toEqual([true, true]);
  clock.advance(3_000);
  expect(followed.has('q')).toBe(false);
});
