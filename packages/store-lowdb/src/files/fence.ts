/** Tells whether a folder still belongs to the process that locked it. */

export interface Fence {
  /** Throws `STORE_LOCK_LOST` from the moment on when another folder, or none, is found in the place of the locked one. */
  assertHeld(): void;
}
