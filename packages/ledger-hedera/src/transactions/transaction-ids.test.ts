import { expect, it } from 'vitest';
import { TransactionIds } from './transaction-ids.js';

const NANOS = 1_000_000_000;

it.each([
  ['in the middle of a second', '00000000-0000-4000-8000-000000000007'],
  // The largest remainder: the next one begins anew, and not in the next second.
  ['at the end of one', `00000000-0000-4000-8000-${(NANOS - 2).toString(16).padStart(12, '0')}`],
])('no two ids are alike, even where the clock and the random numbers stand still %s', (_, uuid) => {
  const ids = new TransactionIds('0.0.2', { now: () => 1_700_000_000_000 }, { uuid: () => uuid });

  const made = Array.from({ length: 1000 }, () => ids.next());

  expect(new Set(made.map(({ nanos }) => nanos)).size).toBe(1000);
  for (const { seconds, nanos } of made) {
    expect(seconds).toBe(1_699_999_992);
    expect(nanos).toBeGreaterThan(0);
    expect(nanos).toBeLessThan(NANOS);
  }
});
