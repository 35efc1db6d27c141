/** The longest delay of the event loop within the last one to two minutes, for any number of readers. */
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';

const WINDOW_MS = 60_000;
const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

export class EventLoopDelay {
  #current: IntervalHistogram | null = null;
  #since = 0;
  #previous = 0;

  /** In seconds. Measures from the first call on, until which it is 0. */
  longest(): number {
    const now = performance.now();
    if (this.#current === null) {
      this.#current = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      this.#current.enable();
      this.#since = now;
    }
    // The histogram counts the distance between its own ticks, and is empty before the first.
    const current = this.#current.count === 0 ? 0 : Math.max(0, this.#current.max / NANOSECONDS - RESOLUTION_MS / 1000);
    const longest = Math.max(current, this.#previous);
    if (now - this.#since >= WINDOW_MS) {
      this.#previous = now - this.#since < 2 * WINDOW_MS ? current : 0;
      this.#current.reset();
      this.#since = now;
    }
    return longest;
  }
}
