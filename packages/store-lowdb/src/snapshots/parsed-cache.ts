/** Bounds the memory of packed records that are also kept parsed after a read. */

/** Total size of the records as JSON. */
const defaultBytes = 64 * 2 ** 20;

/**
 * Two generations: drops the older one whenever the recent one is full. A record that is still in use is then parsed
 * again.
 */
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
