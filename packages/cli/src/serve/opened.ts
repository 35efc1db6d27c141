/** Resources opened during startup, closed in reverse order on shutdown or failure. */

type Close = () => Promise<unknown>;

/** Closes in the reverse order of opening. */
export class Opened {
  readonly #closes: Close[] = [];
  #closing: Promise<void> | undefined;

  add(close: Close): void {
    this.#closes.push(close);
  }

  /** Closes everything even if one fails, then rejects with the first failure. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closes.reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
