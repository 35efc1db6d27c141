/** Exponential backoff: how long to wait after failures in a row. */

export interface Backoff {
  /** Milliseconds after the first failure; doubled with each further one. */
  readonly firstMs: number;
  /** Milliseconds at most. */
  readonly longestMs: number;
}

/** How often something failed in a row, and when to retry it. Plain data, so that it can be kept in a record. */
export interface RetryState {
  readonly failures: number;
  /** Milliseconds since 1970. */
  readonly due: number;
}

/** Wait time in milliseconds after the nth failure in a row, counted from 1. */
export const backoffMs = ({ firstMs, longestMs }: Backoff, failures: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));

/** The state after one more failure, at `now`. `atLeastMs`: for how long the other side asked to be left alone. */
export function afterFailure(backoff: Backoff, now: number, before?: RetryState, atLeastMs = 0): RetryState {
  const failures = (before?.failures ?? 0) + 1;
  return { failures, due: now + Math.max(atLeastMs, backoffMs(backoff, failures)) };
}
