/** What a start has opened so far, to be closed whichever step fails. */

type Close = () => Promise<unknown>;

/** Closes in the reverse order of opening. */
export class Opened {
  readonly #closes: Close[] = [];
  #closing: Promise<void> | undefined;

  add(close: Close): void {
    this.#closes.push(close);
  }

  /** Closes all, also when closing one fails; rejects then with the first failure. May be called again. */
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
