/** Verdicts: valid, or the reason why not. */

export interface Verdict {
  readonly verified: boolean;
  /** Empty if valid. */
  readonly reason: string;
}

export const VALID: Verdict = { verified: true, reason: '' };

export const refused = (reason: string): Verdict => ({ verified: false, reason });
