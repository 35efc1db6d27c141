/** Properties that take too long, on a clock that moves only where a test says so. */
import { createRequire } from 'node:module';
import type FastCheck from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limit, propertyLimit } from './property-limits.js';

const require = createRequire(import.meta.url);
const LIMIT = 40;

/** A copy of fast-check of its own: it takes the clock and the timers that there are when it is loaded. */
function simulated(): typeof FastCheck {
  vi.useFakeTimers();
  const path = require.resolve('fast-check');
  const { [path]: before } = require.cache;
  Reflect.deleteProperty(require.cache, path);
  const { default: fc } = require(path) as { default: typeof FastCheck };
  if (before === undefined) Reflect.deleteProperty(require.cache, path);
  else require.cache[path] = before;
  return fc;
}

describe('a property', () => {
  const test = { timeout: LIMIT };
  let fc: typeof FastCheck;
  beforeEach(() => {
    test.timeout = LIMIT;
    fc = simulated();
    limit(fc, () => test.timeout);
  });
  afterEach(() => void vi.useRealTimers());

  const taking = (ms: number) => fc.property(fc.nat(), () => void vi.advanceTimersByTime(ms));

  it('whose run never settles reports the seed and the counterexample', async () => {
    const hangs = fc.asyncProperty(fc.nat(), (n) => new Promise<void>((resolve) => n < 5 && resolve()));
    const reported = expect(fc.assert(hangs)).rejects.toThrow(/seed: .*\nCounterexample: \[\d+\]/);
    await vi.advanceTimersByTimeAsync(LIMIT);
    await reported;
  });

  it('whose runs take too long fails with the seed, in half of the time', () => {
    const began = Date.now();
    expect(() => fc.assert(taking(1), { numRuns: Infinity })).toThrow(/interrupted .*\n\{ seed: /);
    expect(Date.now() - began).toBe(LIMIT / 2);
  });

  it('is well up to half of the time, and not beyond', () => {
    expect(() => fc.assert(taking(1), { numRuns: LIMIT / 2 })).not.toThrow();
    expect(() => fc.assert(taking(1), { numRuns: LIMIT / 2 + 1 })).toThrow(/interrupted/);
  });

  it('has the time of the test in which it begins', () => {
    test.timeout = 100 * LIMIT;
    expect(() => fc.assert(taking(1), { numRuns: LIMIT })).not.toThrow();
  });
});

it('every test limits its properties by its own time', { timeout: 3_600_000 }, () => {
  expect(propertyLimit()).toBe(3_600_000);
});
