import { expect, it } from 'vitest';
import { SlowestUnits } from './slowest-units.js';

const unit = { cause: 'send', policyId: 'p', block: 'b', attempts: 1, code: null } as const;
const note = (slowest: SlowestUnits, ms: number): void => {
  slowest.note(slowest.now() - ms, unit);
};
const HALF_HOUR = 1_800_000;

it('the slowest 20 units are kept, the slowest first', () => {
  const slowest = new SlowestUnits(() => 0);
  for (let at = 0; at < 100; at += 1) note(slowest, (at * 37) % 100);
  expect(slowest.list().map(({ ms }) => ms)).toEqual(Array.from({ length: 20 }, (_, at) => 99 - at));
});

it('units are forgotten after half an hour to a whole one, however slow they were', () => {
  let now = 0;
  const slowest = new SlowestUnits(() => now);
  note(slowest, 9000);
  now = HALF_HOUR;
  note(slowest, 5);
  expect(slowest.list().map(({ ms }) => ms)).toEqual([9000, 5]);
  now = 2 * HALF_HOUR;
  expect(slowest.list().map(({ ms }) => ms)).toEqual([5]);
  now = 10 * HALF_HOUR;
  expect(slowest.list()).toEqual([]);
});

it('a clock that is set back neither fails nor keeps anything for ever', () => {
  let now = 10 * HALF_HOUR;
  const slowest = new SlowestUnits(() => now);
  note(slowest, 9000);
  now = 0;
  note(slowest, 1);
  expect(slowest.list().map(({ ms }) => ms)).toEqual([1]);
});
