import { SimulatedDisk } from '@blockwork/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEverywhere } from './support/every-cut.js';
import { history } from './support/history.js';
import { times } from '../../../test/support/repetitions.js';

const histories = times(12, 50, 5000);

describe('random histories of commits, checkpoints, compactions and reopenings', { timeout: 3_600_000 }, () => {
  it(`keep every acknowledged commit, atomically and with correct indexes, after a power cut at any operation (${histories} histories)`, async () => {
    let cuts = 0;
    await fc.assert(
      fc.asyncProperty(history(3), fc.nat(), async (steps, seed) => {
        cuts += await cutEverywhere(steps, new SimulatedDisk(), seed);
      }),
      { numRuns: histories },
    );
    expect(cuts).toBeGreaterThan(15 * histories);
  });
});
