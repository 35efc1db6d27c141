import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEverywhere } from './support/every-cut.js';
import { history } from './support/history.js';
import { loadDisk } from './support/load-disk.js';
import { times } from '../../../test/support/repetitions.js';

const ofFormat1 = await loadDisk(fileURLToPath(new URL('corpus/format-1-closed/store', import.meta.url)));
const histories = times(4, 12, 1000);

/** Histories that start from an empty folder are in `every-cut`. */
describe('random histories that start from a folder of format 1', { timeout: 3_600_000 }, () => {
  it(`keep every acknowledged commit, atomically and with correct indexes, after a power cut at any operation (${histories} histories)`, async () => {
    let cuts = 0;
    await fc.assert(
      fc.asyncProperty(history(3), fc.nat(), async (steps, seed) => {
        cuts += await cutEverywhere(steps, ofFormat1.copy(), seed);
      }),
      { numRuns: histories },
    );
    expect(cuts).toBeGreaterThan(15 * histories);
  });
});
