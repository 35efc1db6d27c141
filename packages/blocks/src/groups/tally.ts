/** The tally of a multi-signature: votes cast, votes required, and the outcome. */

export type VoteStatus = 'SIGNED' | 'DECLINED';

export interface Tally {
  /** Members who may vote. */
  readonly total: number;
  readonly signedCount: number;
  readonly declinedCount: number;
  /** Signatures required. */
  readonly signedThreshold: number;
  /** Refusals that decide against it: beyond this, the threshold can no longer be reached. */
  readonly declinedThreshold: number;
  readonly outcome: VoteStatus | null;
}

/**
 * Reference engine, section 7.29: of `n` members `ceil(n * threshold / 100)` must sign, here one at least.
 *
 * @param total members who may vote.
 * @param threshold percent, 0 to 100.
 * @param votes of those members only, one each.
 */
export function tally(total: number, threshold: number, votes: readonly VoteStatus[]): Tally {
  const signedCount = votes.filter((vote) => vote === 'SIGNED').length;
  const declinedCount = votes.length - signedCount;
  const signedThreshold = Math.max(1, Math.ceil((total * threshold) / 100));
  const declinedThreshold = Math.max(1, total - signedThreshold + 1);
  const outcome = signedCount >= signedThreshold ? 'SIGNED' : declinedCount >= declinedThreshold ? 'DECLINED' : null;
  return { total, signedCount, declinedCount, signedThreshold, declinedThreshold, outcome };
}

export const percent = (count: number, total: number): number => (total === 0 ? 0 : (count * 100) / total);
