/** Statements, and which of them the server keeps prepared. */

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Prepared statements take memory in every connection of the server. */
const PREPARED_AT_MOST = 300;

/** Gives texts names, by which the driver has them prepared at their first use on a connection. Texts beyond the limit get none. */
export class PreparedNames {
  readonly #names = new Map<string, string>();

  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= PREPARED_AT_MOST) return known;
    const name = `blockwork_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
