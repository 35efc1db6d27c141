/** The type of a statement, and names for prepared statements. */

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Limited, because prepared statements take memory in every server connection. */
const PREPARED_AT_MOST = 300;

/** Names texts, so that the driver prepares them on first use of a connection. Texts beyond the limit are not named. */
export class PreparedNames {
  readonly #names = new Map<string, string>();

  of(text: string): string | undefined {
    const existing = this.#names.get(text);
    if (existing !== undefined || this.#names.size >= PREPARED_AT_MOST) return existing;
    const name = `blockwork_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
