/** Bundles that an engine makes, as a verifier sees them. */
import { storyOf, verifyBundle } from '@blockwork/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditor, provenMint, registry, type Proven } from './support/proven-mint.js';

let proven: Proven;
beforeAll(async () => {
  proven = await provenMint();
});
afterAll(() => proven.engine.close());

describe('the proof of a mint', () => {
  it('holds', async () => {
    const report = await verifyBundle(JSON.parse(JSON.stringify(proven.mint)));
    console.log(storyOf(report), JSON.stringify(proven.mint).length);
    expect(report.wrong).toEqual([]);
  });
});
