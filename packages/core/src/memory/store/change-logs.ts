/** What changes in a table while something is derived from it in slices. */
import type { Entry } from './entry.js';

/** Kept up to date by being told of every change. */
export interface Following {
  change(before: Entry | undefined, after: Entry | undefined): void;
}

export class ChangeLogs {
  readonly #open = new Set<[Entry | undefined, Entry | undefined][]>();

  /** Takes note that `before` gave way to `after`. */
  change(before: Entry | undefined, after: Entry | undefined): void {
    for (const log of this.#open) log.push([before, after]);
  }

  /**
   * Derives something from the table as it is now, tells it what has changed meanwhile, and installs it. The last two happen in one
   * piece, so that no change falls in between.
   */
  async follow<T extends Following>(derive: () => Promise<T>, install: (derived: T) => void): Promise<T> {
    const log: [Entry | undefined, Entry | undefined][] = [];
    this.#open.add(log);
    try {
      const derived = await derive();
      for (const [before, after] of log) derived.change(before, after);
      install(derived);
      return derived;
    } finally {
      this.#open.delete(log);
    }
  }
}
