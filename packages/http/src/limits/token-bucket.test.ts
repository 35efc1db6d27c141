import { expect, it } from 'vitest';
import { TokenBucket } from './token-bucket.js';

it('a clock that is set back neither adds nor takes away', () => {
  let now = 1_000_000;
  const bucket = new TokenBucket(1, 10, { now: () => now });
  bucket.take(10);
  now -= 600_000;
  expect(bucket.msUntil(1)).toBe(1_000);
  now += 1_000;
  expect(bucket.msUntil(1)).toBe(0);
  expect(bucket.msUntil(2)).toBe(1_000);
});
