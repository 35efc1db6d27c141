/** Generates message ids `<seconds>.<nanoseconds>` that follow the clock and strictly increase. */
import type { Clock } from '../../ports/index.js';

export class MessageIds {
  readonly #clock: Clock;
  #seconds = 0;
  #nanoseconds = -1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Greater than all earlier ids, even if the clock stands still or goes back. */
  next(): string {
    const now = this.#clock.now();
    const seconds = Math.floor(now / 1000);
    const nanoseconds = Math.floor(now - seconds * 1000) * 1_000_000;
    if (seconds > this.#seconds || (seconds === this.#seconds && nanoseconds > this.#nanoseconds)) {
      this.#seconds = seconds;
      this.#nanoseconds = nanoseconds;
    } else if (++this.#nanoseconds === 1_000_000_000) {
      this.#seconds += 1;
      this.#nanoseconds = 0;
    }
    return `${this.#seconds}.${String(this.#nanoseconds).padStart(9, '0')}`;
  }
}
