/** A unit of work on its way through a lane: queued, running, or finished but not yet durable. */
import type { Change, ChangeSet, HostWork } from '../ports/index.js';
import type { RevisionKey } from './revision-keys.js';
import type { ExternalResults, UnitOfWork } from './unit-of-work.js';

export interface Job {
  readonly keys: readonly RevisionKey[];
  readonly work: (unit: UnitOfWork) => Promise<unknown>;
  /** Results of work outside the store, for later attempts. */
  readonly externalResults: ExternalResults;
  /** Number of times it was started. */
  attempts: number;
  /** Number of times its own commit was rejected with `CONFLICT`. */
  conflicts: number;
  /** Whether it began with a revision that was not read from the store. */
  isPresumed: boolean;
  /** Called once, with the final outcome. */
  readonly end: (outcome: Outcome) => void;
}

/** The result of a unit, or its error. */
export type Outcome =
  { readonly result: unknown; readonly changes: number; readonly attempts: number } | { readonly error: Error };

/** A job whose work has returned or thrown; its outcome is final once everything it has read is durable. */
export interface FinishedJob {
  readonly job: Job;
  readonly outcome: Outcome;
  /** The revisions that the unit began with; empty if it failed before it could read them. */
  readonly expect: Readonly<Record<string, number>>;
  /** The history of the store that these belong to. */
  readonly history: string | undefined;
  /** `null` if the unit failed or changed nothing. */
  readonly changeSet: ChangeSet | null;
  /** The changes of records that did not exist before. */
  readonly created: ReadonlySet<Change>;
  /** Committed together with the change set; such a unit is committed alone. */
  readonly hostWork: HostWork | undefined;
  /** W3C trace context of the unit. */
  readonly traceparent: string | undefined;
  /** Size of the records that the unit writes. */
  readonly bytes: number;
  /** Called once everything it has read is known to be of the revisions it began with. */
  readonly confirmReads: () => void;
  /** Called when the job is durable or has failed. */
  readonly watchers: (() => void)[];
}

/** The key of a job that has exactly one. */
export const singleKey = ({ keys: [first, ...others] }: Pick<Job, 'keys'>): RevisionKey | null =>
  first !== undefined && others.length === 0 ? first : null;
