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

/** A clock and timers, in milliseconds. */
export interface Stopwatch {
  now(): number;
  /** Calls `wake` after `milliseconds`, unless the returned function is called before. */
  after(milliseconds: number, wake: () => void): () => void;
}

const machineStopwatch: Stopwatch = {
  now: () => performance.now(),
  after: (milliseconds, wake) => {
    const timer = setTimeout(wake, milliseconds);
    return () => clearTimeout(timer);
  },
};

export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #stopwatch: Stopwatch;
  readonly #journalAtStart: number;
  #done = 0;
  #owed = 0;
  #workStart: number;
  #wake: () => void = () => undefined;
  #isDisabled = false;

  constructor(options: ThrottleOptions, stopwatch = machineStopwatch) {
    this.#options = options;
    this.#stopwatch = stopwatch;
    this.#journalAtStart = options.journal();
    this.#workStart = stopwatch.now();
  }

  /** Ends the current pause and prevents further ones. */
  disable(): void {
    this.#isDisabled = true;
    this.#wake();
  }

  /** Call after writing `bytes`. */
  async pause(bytes: number): Promise<void> {
    this.#done += bytes;
    this.#owed += pausePerWork * (this.#stopwatch.now() - this.#workStart);
    if (this.#owed >= minPause && !this.#isDisabled && !this.#isBehind()) {
      await this.#sleep(Math.min(this.#owed, maxPause));
      this.#owed = 0;
    }
    this.#workStart = this.#stopwatch.now();
  }

  #isBehind(): boolean {
    const { work, budget, journal } = this.#options;
    return this.#done / work < (journal() - this.#journalAtStart) / budget;
  }

  async #sleep(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#stopwatch.after(milliseconds, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
