/** Stuck work: what failed and is tried again, so that an operator sees it. */
import type { BackgroundWork, RetryState } from '../ports/index.js';

/** Background work that failed, for one policy, request or message, or as a whole. */
export interface StuckWork {
  readonly work: BackgroundWork;
  /** The policy, request or message; `null` if the work as a whole fails. */
  readonly id: string | null;
  /** In a row. */
  readonly failures: number;
  /** ISO 8601. */
  readonly retryAt: string;
  /** The last error. For the operator: it may name files and hosts. */
  readonly reason: string;
}

/** A failure of one part of some work, before it is known which work it is. */
export interface Failure {
  readonly id: string | null;
  readonly state: RetryState;
  readonly reason: string;
}

/** What work tells of itself. */
export interface Watched {
  stuck(): StuckWork[];
}

export const stuckWork = (work: BackgroundWork, failures: readonly (Failure | null)[]): StuckWork[] =>
  failures.flatMap((failure) => {
    if (failure === null) return [];
    const { id, reason, state } = failure;
    return [{ work, id, failures: state.failures, retryAt: isoOf(state.due), reason }];
  });

/** A pause that was ended is due long ago. */
const isoOf = (due: number): string => new Date(Math.max(0, due)).toISOString();

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
