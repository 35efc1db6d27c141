/** Exponential backoff: how long to wait after failures in a row. */
import type { Ids } from './ids.js';

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

/** A random time between half of `ms` and all of it, so that those who failed together do not retry together. */
export const jittered = (ms: number, ids: Ids): number =>
  (ms * (1 + Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32)) / 2;

/** The state after one more failure, at `now`. `atLeastMs`: for how long the other side asked to be left alone. */
export function afterFailure(backoff: Backoff, now: number, before?: RetryState, atLeastMs = 0): RetryState {
  const failures = (before?.failures ?? 0) + 1;
  return { failures, due: now + Math.max(atLeastMs, backoffMs(backoff, failures)) };
}
