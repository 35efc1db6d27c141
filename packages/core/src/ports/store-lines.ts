/** A whole store as lines of JSON: how stores are exported, imported, and copied into stores of another kind. */

/** The first line. */
export interface StoreHead {
  readonly export: 'blockwork-store';
  readonly version: 1;
  /** The number of the last commit, or any number not less than every revision. */
  readonly commits: number;
}

/** The lines in between: records, by partition and kind and then in insertion order, followed by revisions, by key. */
export type StoreLine =
  | { readonly kind: string; readonly partition: string; readonly value: { readonly id: string } }
  | { readonly key: string; readonly revision: number };

/** The last line; lines without it are incomplete. */
export interface StoreEnd {
  readonly records: number;
  readonly revisions: number;
}

/** A store that is read as a whole. Equal stores have equal lines, except for the first. */
export interface StoreSource {
  /** The lines, without line breaks; each call starts over, and shows the same moment. */
  lines(): AsyncIterable<string>;
  close(): Promise<void>;
}

/** The order of tables and revisions in the lines: by code units, so that it does not depend on the locale. */
export const inLineOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
