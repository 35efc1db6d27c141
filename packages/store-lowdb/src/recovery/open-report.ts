/** What was found when the store was opened. */

export interface OpenReport {
  /** Commits read from the journal because no snapshot contained them yet. */
  readonly replayed: number;
  /** The incomplete end of the journal that a crash left behind. It was never acknowledged. */
  readonly truncated?: TruncatedEnd;
  /** Damage found now or at an earlier opening. Everything else is available. */
  readonly damage: readonly Damage[];
}

export interface TruncatedEnd {
  /** The segment of the journal. */
  readonly file: string;
  /** Bytes removed. The quarantine keeps them. */
  readonly bytes: number;
}

export interface Damage {
  /** The damaged file, relative to the store's folder, under its original name. */
  readonly file: string;
  readonly reason: string;
  /** The table that is unavailable because of it, in whole or in part; absent if there is none. */
  readonly table?: { readonly partition: string; readonly kind: string };
}
