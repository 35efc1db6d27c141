/** Timers that a test sets off, by moving a simulated clock. */
import type { Timers } from '@blockwork/core/adapter';
import type { SimulatedClock } from './simulated-clock.js';

export class SimulatedTimers implements Timers {
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  constructor(private readonly clock: SimulatedClock) {}

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.clock.now() + Math.max(0, ms), run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Moments at which something is to run, the next one first. */
  get pending(): number[] {
    return [...this.#timers].map(({ at }) => at).sort((a, b) => a - b);
  }

  /** Moves the clock on by `ms`, running what is due on the way, each at its moment; also what that sets up anew. */
  advance(ms: number): void {
    const end = this.clock.now() + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.clock.advance(Math.max(0, next.at - this.clock.now()));
      this.#timers.delete(next);
      next.run();
    }
    this.clock.advance(end - this.clock.now());
  }

  /** The earliest that is due by `end`; of several at one moment the one that was set up first. */
  #next(end: number): { readonly at: number; readonly run: () => void } | undefined {
    let found;
    for (const timer of this.#timers)
      if (timer.at <= end && (found === undefined || timer.at < found.at)) found = timer;
    return found;
  }
}
