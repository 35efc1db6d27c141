/** Waits for changes in any of several journals. */
import type { JournalTail } from './journal-tail.js';

export class Changes {
  readonly #stop: readonly (() => void)[];
  #count = 0;
  #wake: (() => void) | null = null;

  /** Aborting `signal` counts as a change. */
  constructor(tails: readonly JournalTail[], signal: AbortSignal) {
    const changed = (): void => {
      this.#count += 1;
      this.#wake?.();
    };
    signal.addEventListener('abort', changed, { once: true });
    this.#stop = [...tails.map((tail) => tail.watch(changed)), () => signal.removeEventListener('abort', changed)];
  }

  get count(): number {
    return this.#count;
  }

  /** Resolves once there has been a change after the one with this number. */
  async since(count: number): Promise<void> {
    if (this.#count !== count) return;
    await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wake = null;
  }

  close(): void {
    for (const stop of this.#stop) stop();
  }
}
