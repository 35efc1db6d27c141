/** The placeholder for a row that is read from its snapshot file on demand. */

/** One object serves all rows of a part, so that a row takes only the memory of its id. */
export class StoredRow {
  /** `file`: relative to the store's folder. */
  constructor(readonly file: string) {}
}
