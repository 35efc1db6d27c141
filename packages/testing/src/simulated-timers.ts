/** Timers that fire when a test advances their simulated clock. */
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

  /** Due times, earliest first. */
  get pending(): number[] {
    return [...this.#timers].map(({ at }) => at).sort((a, b) => a - b);
  }

  /** Advances the clock by `ms` and fires due timers at their times, including those set by other timers. */
  advance(ms: number): void {
    const end = this.clock.now() + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.clock.advance(Math.max(0, next.at - this.clock.now()));
      this.#timers.delete(next);
      next.run();
    }
    this.clock.advance(end - this.clock.now());
  }

  /** The earliest timer due by `end`; among equals, the one set first. */
  #next(end: number): { readonly at: number; readonly run: () => void } | undefined {
    let found;
    for (const timer of this.#timers)
      if (timer.at <= end && (found === undefined || timer.at < found.at)) found = timer;
    return found;
  }
}
