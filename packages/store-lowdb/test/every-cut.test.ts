import { SimulatedDisk } from '@blockwork/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEverywhere } from './tools/every-cut.js';
import { history } from './tools/history.js';
import { times } from './tools/soak.js';

const histories = times(500, 5000);

describe('random histories of commits, checkpoints, compactions and reopenings', { timeout: 3_600_000 }, () => {
  it(`lose nothing that was acknowledged, show no half of anything and no index that lies, with the power cut after every operation, ${histories} times`, async () => {
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
