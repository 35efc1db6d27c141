/** Keeps a checkpoint in the background: it rests in between, as long as it does not fall behind the journal. */

/** For each millisecond of work so many of rest: the disk and the processor are there for commits first. */
const restPerWork = 3;
/** Shorter rests are put off, in milliseconds; longer ones cut short, since the work was slow for other reasons. */
const shortest = 2;
const longest = 30;

export interface PaceOptions {
  /** What is to be written, in bytes. */
  readonly work: number;
  /** The journal may grow by so many bytes meanwhile. */
  readonly budget: number;
  /** Bytes of the journal so far. */
  readonly journal: () => number;
}

export class Pace {
  readonly #options: PaceOptions;
  readonly #journalAtStart: number;
  #done = 0;
  #owed = 0;
  #worksSince = performance.now();
  #wake: () => void = () => undefined;
  #isInHurry = false;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#journalAtStart = options.journal();
  }

  /** No more rests. */
  hurry(): void {
    this.#isInHurry = true;
    this.#wake();
  }

  /** To be called after each piece of work, of so many bytes. */
  async rest(bytes: number): Promise<void> {
    this.#done += bytes;
    this.#owed += restPerWork * (performance.now() - this.#worksSince);
    if (this.#owed >= shortest && !this.#isInHurry && !this.#isBehind()) {
      await this.#sleep(Math.min(this.#owed, longest));
      this.#owed = 0;
    }
    this.#worksSince = performance.now();
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
