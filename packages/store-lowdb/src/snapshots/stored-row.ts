/** Stands for a row that is read from its snapshot file when it is asked for. */

/** One object for all rows of a part, so that a row costs its id and no more. */
export class StoredRow {
  /** `file`: relative to the store's folder. */
  constructor(readonly file: string) {}
}
