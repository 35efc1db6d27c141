/** What the server and its watchdog share: a beat for each turn of the event loop, and whether a debugger is attached. */

/** The server beats, and the watchdog looks, this often. */
export const BEAT_MS = 100;
/** Indexes of the shared numbers. */
export const BEATS = 0;
export const IS_DEBUGGED = 1;
/** The function of the server that the watchdog calls while the loop is blocked. */
export const BLOCKED = 'blockwork.blocked';

export interface WatchdogSettings {
  /** A loop that is blocked for this long is logged, with its stack. */
  readonly blockedMs: number;
  /** The process is ended when its loop has been blocked for this long; 0: never. */
  readonly endMs: number;
  readonly format: 'json' | 'plain';
}

export interface WatchdogData extends WatchdogSettings {
  readonly shared: SharedArrayBuffer;
}
