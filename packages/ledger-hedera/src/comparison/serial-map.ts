/** Which serials of the ledger stand for those of the book: runs in which both grow together, as they are minted. */

interface Run {
  readonly local: number;
  readonly ledger: number;
  length: number;
}

export class SerialMap {
  readonly #runs: Run[] = [];
  #isSorted = true;

  add(local: number, ledger: number): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && local === last.local + last.length && ledger === last.ledger + last.length) {
      last.length += 1;
      return;
    }
    this.#isSorted &&= last === undefined || local > last.local;
    this.#runs.push({ local, ledger, length: 1 });
  }

  /** Number of runs that are held. */
  get size(): number {
    return this.#runs.length;
  }

  /** The ledger's serials for those of the book from the first to the last; `ledger` is `null` where there are none. */
  *translate(
    first: number,
    last: number,
  ): Generator<{ readonly local: number; readonly ledger: number | null; readonly length: number }, void> {
    const runs = this.#sorted();
    let place = this.#firstAfter(first);
    for (let local = first; local <= last;) {
      const run = runs[place];
      const isIn = run !== undefined && run.local <= local;
      const end = isIn ? run.local + run.length : Math.min(run?.local ?? Infinity, last + 1);
      const length = Math.min(end, last + 1) - local;
      yield { local, ledger: isIn ? run.ledger + local - run.local : null, length };
      local += length;
      if (isIn) place += 1;
    }
  }

  /** The first run that ends after the serial. */
  #firstAfter(local: number): number {
    const runs = this.#sorted();
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const run = runs[middle];
      if (run !== undefined && run.local + run.length <= local) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sorted(): readonly Run[] {
    if (!this.#isSorted) this.#runs.sort((a, b) => a.local - b.local);
    this.#isSorted = true;
    return this.#runs;
  }
}
