/** Detects that a folder no longer belongs to the process that locked it. */

export interface Fence {
  /** Throws `STORE_LOCK_LOST` if the locked folder was removed or replaced, and on every later call. */
  assertHeld(): void;
}
