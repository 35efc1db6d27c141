import { describe, expect, it } from 'vitest';
import { afterFailure, backoffMs, jittered, type RetryState } from './backoff.js';

const backoff = { firstMs: 200, longestMs: 30_000 };

describe('exponential backoff', () => {
  it('doubles with each failure in a row, up to the longest pause', () => {
    const pauses = Array.from({ length: 10 }, (_, at) => backoffMs(backoff, at + 1));
    expect(pauses).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('stays at the longest pause after any number of failures', () => {
    expect(backoffMs(backoff, 1e9)).toBe(30_000);
    expect(backoffMs({ firstMs: 0, longestMs: 30_000 }, 1e9)).toBe(0);
  });

  it('counts failures from the state before, and is due after the pause', () => {
    let state: RetryState | undefined;
    const seen = [];
    for (const now of [1000, 2000, 3000]) seen.push((state = afterFailure(backoff, now, state)));
    expect(seen).toEqual([
      { failures: 1, due: 1200 },
      { failures: 2, due: 2400 },
      { failures: 3, due: 3800 },
    ]);
  });

  it('is spread over the second half of a pause, by random ids', () => {
    const idsOf = (first: string) => ({ uuid: () => `${first}-0000-4000-8000-000000000000` });
    expect(['00000000', '80000000', 'ffffffff'].map((first) => Math.round(jittered(200, idsOf(first))))).toEqual([
      100, 150, 200,
    ]);
  });
});
