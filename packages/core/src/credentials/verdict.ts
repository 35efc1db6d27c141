/** Verdicts: whether something holds, and why not. */

export interface Verdict {
  readonly verified: boolean;
  /** Empty when it holds. */
  readonly reason: string;
}

export const HOLDS: Verdict = { verified: true, reason: '' };

export const refused = (reason: string): Verdict => ({ verified: false, reason });
