/** What was found when the store was opened. */

export interface OpenReport {
  /** Commits that were taken from the journal, because no snapshot held them yet. */
  readonly replayed: number;
  /** The end of the journal that a crash had left half-written; none of it was ever acknowledged. */
  readonly torn?: TornEnd;
  /** What is damaged, now or since an earlier opening. Everything else is served. */
  readonly damage: readonly Damage[];
}

export interface TornEnd {
  /** The segment of the journal. */
  readonly file: string;
  /** How many bytes were cut off. They are kept in the quarantine. */
  readonly bytes: number;
}

export interface Damage {
  /** The damaged file, relative to the store's folder, as it was called. */
  readonly file: string;
  readonly reason: string;
  /** The records that are not served because of it; absent where all are. */
  readonly table?: { readonly partition: string; readonly kind: string };
}
