/** What a group commit hands to its lane: units that have begun, and news of its commits. */
import type { Job } from './job.js';
import type { UnitOfWork } from './unit-of-work.js';

/** A unit that has begun. */
export interface BegunUnit {
  readonly unit: UnitOfWork;
  readonly confirmReads: () => void;
}

/** Notifications to the lane about its commits. */
export interface GroupCommitEvents {
  /** These jobs must be rerun, before those in the queue. */
  readonly rerun: (jobs: readonly Job[]) => void;
  /** Another process wrote in between. */
  readonly conflict: () => void;
  /** A group was written or has failed: another unit may be able to start. */
  readonly progress: () => void;
}
