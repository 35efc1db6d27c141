/** Stuck work: failed and being retried, shown to the operator. */
import type { RetryState } from '../ports/index.js';
import type { BackgroundWork } from '../telemetry/index.js';

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

/** A failure of one part of some work, before the work is named. */
export interface Failure {
  readonly id: string | null;
  readonly state: RetryState;
  readonly reason: string;
}

/** Work that can report its failures. */
export interface StuckWorkSource {
  stuck(): StuckWork[];
}

export const stuckWork = (work: BackgroundWork, failures: readonly (Failure | null)[]): StuckWork[] =>
  failures.flatMap((failure) => {
    if (failure === null) return [];
    const { id, reason, state } = failure;
    return [{ work, id, failures: state.failures, retryAt: isoOf(state.due), reason }];
  });

/** A pause that was ended has a due time long past. */
const isoOf = (due: number): string => new Date(Math.max(0, due)).toISOString();
