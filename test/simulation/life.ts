/** One life of a process: from its start to its crash. What belongs to a life stands still while it is paused. */

export class Life {
  isOver = false;
  /** Milliseconds since 1970. */
  pausedUntil = 0;
  readonly #ends = new Set<() => void>();

  constructor(readonly name: string) {}

  /** Calls `run` once, when the life ends, unless the returned function is called before. */
  atEnd(run: () => void): () => void {
    if (this.isOver) run();
    else this.#ends.add(run);
    return () => void this.#ends.delete(run);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const run of [...this.#ends]) run();
    this.#ends.clear();
  }
}
