/** A unit of work on its way through a lane: queued, running, or finished and not yet durable. */
import type { ChangeSet } from '../ports/index.js';
import type { RevisionKey } from './revision-keys.js';
import type { OutsideResults, UnitOfWork } from './unit-of-work.js';

export interface Job {
  readonly keys: readonly RevisionKey[];
  readonly work: (unit: UnitOfWork) => Promise<unknown>;
  /** What was done outside of the store while it ran, for the next attempts. */
  readonly outside: OutsideResults;
  /** How often it was started. */
  attempts: number;
  /** How often its own commit was refused with `CONFLICT`. */
  refusals: number;
  /** Whether it began with a revision that the store was not asked for. */
  isPresumed: boolean;
  /** Called once, with the final outcome. */
  readonly end: (outcome: Outcome) => void;
}

/** The result of a unit or its error. */
export type Outcome =
  { readonly result: unknown; readonly changes: number; readonly attempts: number } | { readonly error: Error };

/** A job whose work has returned or thrown, and whose outcome is not final before everything it has read is durable. */
export interface FinishedJob {
  readonly job: Job;
  readonly outcome: Outcome;
  /** The revisions that the unit began with; none if it failed before it could read them. */
  readonly expect: Readonly<Record<string, number>>;
  /** `null` if the unit failed or changed nothing. */
  readonly changeSet: ChangeSet | null;
  /** W3C trace context of the unit. */
  readonly traceparent: string | undefined;
  /** Of the records that the unit writes. */
  readonly bytes: number;
  /** Called when everything that it has read is known to be of the revisions that it began with. */
  readonly readsHold: () => void;
  /** Called when the job is durable or has failed. */
  readonly watchers: (() => void)[];
}

/** The key of a job that has exactly one. */
export const singleKey = ({ keys: [first, ...others] }: Pick<Job, 'keys'>): RevisionKey | null =>
  first !== undefined && others.length === 0 ? first : null;
