import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tally, type VoteStatus } from './tally.js';

const votes = (signed: number, declined: number): VoteStatus[] => [
  ...Array<VoteStatus>(signed).fill('SIGNED'),
  ...Array<VoteStatus>(declined).fill('DECLINED'),
];

describe('a tally', () => {
  it('needs two of three at 50 percent, either way', () => {
    expect(tally(3, 50, [])).toMatchObject({ signedThreshold: 2, declinedThreshold: 2, outcome: null });
    expect(tally(3, 50, votes(1, 1)).outcome).toBeNull();
    expect(tally(3, 50, votes(2, 0)).outcome).toBe('SIGNED');
    expect(tally(3, 50, votes(1, 2)).outcome).toBe('DECLINED');
  });

  it('needs everybody at 100 percent, and one at 0', () => {
    expect(tally(4, 100, votes(3, 0)).outcome).toBeNull();
    expect(tally(4, 100, votes(3, 1)).outcome).toBe('DECLINED');
    expect(tally(4, 0, []).outcome).toBeNull();
    expect(tally(4, 0, votes(1, 0)).outcome).toBe('SIGNED');
    expect(tally(4, 0, votes(0, 4)).outcome).toBe('DECLINED');
  });

  it('always decides once everybody has voted, and never both ways', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.nat(50),
        fc.integer({ min: 0, max: 100 }),
        (total, part, threshold) => {
          const signed = Math.min(part, total);
          const { outcome, signedThreshold, declinedThreshold } = tally(
            total,
            threshold,
            votes(signed, total - signed),
          );
          expect(outcome).toBe(signed >= signedThreshold ? 'SIGNED' : 'DECLINED');
          expect(signedThreshold + declinedThreshold).toBe(total + 1);
        },
      ),
    );
  });
});
