import { fileURLToPath } from 'node:url';
import { SimulatedDisk } from '@blockwork/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEverywhere } from './support/every-cut.js';
import { history } from './support/history.js';
import { loadDisk } from './support/load-disk.js';
import { times } from './support/soak.js';

const empty = new SimulatedDisk();
const ofFormat1 = await loadDisk(fileURLToPath(new URL('corpus/format-1-closed/store', import.meta.url)));
const histories = times(100, 5000);

describe('random histories that may start from a folder of format 1', { timeout: 3_600_000 }, () => {
  it(`keep every acknowledged commit, atomically and with correct indexes, after a power cut at any operation (${histories} histories)`, async () => {
    let upgrades = 0;
    const begin = fc.oneof(
      { weight: 9, arbitrary: fc.constant(empty) },
      { weight: 1, arbitrary: fc.constant(ofFormat1) },
    );
    await fc.assert(
      fc.asyncProperty(begin, history(3), fc.nat(), async (disk, steps, seed) => {
        if (disk === ofFormat1) upgrades += 1;
        await cutEverywhere(steps, disk.copy(), seed);
      }),
      { numRuns: histories },
    );
    expect(upgrades).toBeGreaterThan(histories / 80);
  });
});
