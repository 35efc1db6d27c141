/** Waits for changes in any of several journals. */
import type { JournalTail } from './journal-tail.js';

export class Changes {
  readonly #stop: readonly (() => void)[];
  #changed = new Set<string>();
  #wake: (() => void) | null = null;

  constructor(
    tails: readonly JournalTail[],
    private readonly signal: AbortSignal,
  ) {
    const wake = (): void => this.#wake?.();
    const watch = (tail: JournalTail): (() => void) =>
      tail.watch(() => {
        this.#changed.add(tail.policyId);
        wake();
      });
    signal.addEventListener('abort', wake, { once: true });
    this.#stop = [...tails.map(watch), () => signal.removeEventListener('abort', wake)];
  }

  /**
   * The policies whose journals have changed since the last call; resolves as soon as there is one, or the signal is
   * aborted.
   */
  async next(): Promise<ReadonlySet<string>> {
    if (this.#changed.size === 0 && !this.signal.aborted) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = null;
    }
    return this.take();
  }

  /** As `next`, without waiting. */
  take(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  close(): void {
    for (const stop of this.#stop) stop();
  }
}
