/** Bounds the memory of packed records that are kept parsed as well, because they were read. */

/** Of records as JSON. */
const defaultBytes = 64 * 2 ** 20;

/** Drops the half that was parsed longer ago. A record that is still in use is parsed again, once in so many bytes. */
export class ParsedCache {
  readonly #half: number;
  #older: { readonly rows: RowCache; readonly row: number }[] = [];
  #recent: { readonly rows: RowCache; readonly row: number }[] = [];
  #bytes = 0;

  constructor(bytes = defaultBytes) {
    this.#half = bytes / 2;
  }

  /** Call when a row was parsed. */
  add(rows: RowCache, row: number, bytes: number): void {
    this.#recent.push({ rows, row });
    this.#bytes += bytes;
    if (this.#bytes < this.#half) return;
    for (const old of this.#older) old.rows.drop(old.row);
    this.#older = this.#recent;
    this.#recent = [];
    this.#bytes = 0;
  }
}

export interface RowCache {
  drop(row: number): void;
}
