import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitProperties } from './property-limits.js';

describe('a property', () => {
  it('whose run never settles reports the seed and the counterexample', async () => {
    limitProperties(40);
    const hangs = fc.asyncProperty(fc.nat(), (n) => new Promise<void>((resolve) => n < 5 && resolve()));
    await expect(fc.assert(hangs)).rejects.toThrow(/seed: .*\nCounterexample: \[\d+\]/);
  });

  it('whose runs take too long fails with the seed', () => {
    limitProperties(40);
    const slow = fc.property(fc.nat(), () => {
      for (const end = performance.now() + 1; performance.now() < end;);
    });
    expect(() => fc.assert(slow, { numRuns: Infinity })).toThrow(/interrupted .*\n\{ seed: /);
  });

  it('has the time of its own test', { timeout: 3_600_000 }, () => {
    const slow = fc.property(fc.nat(), () => {
      for (const end = performance.now() + 1; performance.now() < end;);
    });
    expect(() => fc.assert(slow, { numRuns: 50 })).not.toThrow();
  });
});
