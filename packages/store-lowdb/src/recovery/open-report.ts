/** The report on opening a store: what was replayed, truncated or damaged. */

export interface OpenReport {
  /** Commits read from the journal because no snapshot contained them yet. */
  readonly replayed: number;
  /** The unreadable end of the journal, as a crash leaves it behind. */
  readonly truncated?: TruncatedEnd;
  /** Damage found now or at an earlier opening. Everything else is available. */
  readonly damage: readonly Damage[];
}

export interface TruncatedEnd {
  /** The segment of the journal. */
  readonly file: string;
  /** Bytes removed. The quarantine keeps them. */
  readonly bytes: number;
  /** The last commit before it. Every commit known to have been acknowledged is there. */
  readonly lastCommit: number;
  /**
   * Whether `lastCommit` is also the last one that the file `durable` recorded: then no acknowledged commit is missing,
   * except perhaps those of the last moment. Otherwise, a crash and a cut by hand look the same.
   */
  readonly isConfirmed: boolean;
}

export interface Damage {
  /** The damaged file, relative to the store's folder, under its original name. */
  readonly file: string;
  readonly reason: string;
  /**
   * The table that is unavailable because of it, in whole or in part; absent if there is none. The timers of each policy are a table of
   * the kind `timer/<policyId>`.
   */
  readonly table?: { readonly partition: string; readonly kind: string };
  /** After a repair that accepts loss: the ids of the records given up with the file, as far as they are legible. */
  readonly records?: readonly string[];
}
