/** Locks on revisions, by which the processes of a shared store take turns instead of invalidating each other's work. */
import type { ChangeSet } from './policy-store.js';

export interface LockRequest {
  /** The queue to wait in: processes that ask for locks under one name get them in the order of their requests. */
  readonly queue: string;
  /** The revision keys to lock. */
  readonly keys: readonly string[];
  /** Further revision keys to read once the lock is there. */
  readonly alsoRead?: readonly string[];
}

/**
 * A lock on revision keys: until it ends, no other commit moves them. It ends with its commit, with its release, and by
 * itself if neither comes soon: its process may be dead or stand still. Such a lock commits nothing any more.
 */
export interface RevisionLock {
  /** The revisions of the keys of the request, locked or only read. */
  readonly revisions: ReadonlyMap<string, number>;
  /** The history that they belong to; `undefined` for a store without histories. */
  readonly history: string | undefined;
  /** Whether another process held the lock, or waited for it. */
  readonly hasWaited: boolean;

  /**
   * Commits as `PolicyStore.commitChain`, and ends the lock. Rejects with `CONFLICT`, having changed nothing, also if
   * the lock has ended before.
   */
  commit(changeSets: readonly ChangeSet[]): Promise<void>;

  /** Ends the lock without a commit. Rejects with `CONFLICT` if it has ended before: another commit may have come. */
  release(): Promise<void>;
}
