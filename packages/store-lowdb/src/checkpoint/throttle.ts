/** Slows a background checkpoint down, unless it falls behind the journal. */

/** Milliseconds to pause per millisecond of work. */
const pausePerWork = 3;
/** Shorter pauses accumulate, in milliseconds. */
const minPause = 2;
/** Longer pauses are cut: the work was slow for other reasons. */
const maxPause = 30;

export interface ThrottleOptions {
  /** Total bytes to write. */
  readonly work: number;
  /** Bytes by which the journal may grow meanwhile. */
  readonly budget: number;
  /** Current size of the journal. */
  readonly journal: () => number;
}

export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #journalAtStart: number;
  #done = 0;
  #owed = 0;
  #workStart = performance.now();
  #wake: () => void = () => undefined;
  #isDisabled = false;

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.#journalAtStart = options.journal();
  }

  /** Ends the current pause and prevents further ones. */
  disable(): void {
    this.#isDisabled = true;
    this.#wake();
  }

  /** Call after writing `bytes`. */
  async pause(bytes: number): Promise<void> {
    this.#done += bytes;
    this.#owed += pausePerWork * (performance.now() - this.#workStart);
    if (this.#owed >= minPause && !this.#isDisabled && !this.#isBehind()) {
      await this.#sleep(Math.min(this.#owed, maxPause));
      this.#owed = 0;
    }
    this.#workStart = performance.now();
  }

  #isBehind(): boolean {
    const { work, budget, journal } = this.#options;
    return this.#done / work < (journal() - this.#journalAtStart) / budget;
  }

  async #sleep(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
