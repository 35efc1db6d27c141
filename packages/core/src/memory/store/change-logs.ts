/** Logs changes to a table while an index of it is being built in slices. */
import type { Entry } from './entry.js';

/** A structure that is updated with every change. */
export interface ChangeFollower {
  change(before: Entry | undefined, after: Entry | undefined): void;
}

export class ChangeLogs {
  readonly #open = new Set<[Entry | undefined, Entry | undefined][]>();

  /** `before` is undefined for an insertion, `after` for a deletion. */
  change(before: Entry | undefined, after: Entry | undefined): void {
    for (const log of this.#open) log.push([before, after]);
  }

  /**
   * Builds a structure from the current table, applies the changes made meanwhile, and installs it. The last two steps run
   * synchronously, so that no change is lost between them.
   */
  async follow<T extends ChangeFollower>(derive: () => Promise<T>, install: (derived: T) => void): Promise<T> {
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
