import { expect, it } from 'vitest';
import { Contention } from './contention.js';
import { lanes } from './revision-keys.js';

const [lane, other] = [lanes.policy.of('p'), lanes.policy.of('q')];

it('a lane is contended from its first conflict on, until nobody else has wanted 16 of its locks in a row', () => {
  const contention = new Contention();
  expect(contention.isContended(lane)).toBe(false);
  contention.onConflict(lane);
  expect([contention.isContended(lane), contention.isContended(other)]).toEqual([true, false]);
  for (let n = 0; n < 15; n += 1) contention.onLocked(lane, false);
  expect(contention.isContended(lane)).toBe(true);
  contention.onLocked(lane, true);
  for (let n = 0; n < 15; n += 1) contention.onLocked(lane, false);
  expect(contention.isContended(lane)).toBe(true);
  contention.onLocked(lane, false);
  expect(contention.isContended(lane)).toBe(false);
});
