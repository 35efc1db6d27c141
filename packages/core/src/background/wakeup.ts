/** An alarm: rings once, at a moment of the clock; setting it again replaces what was set. */
import type { Clock, Timers } from '../ports/index.js';

export class Wakeup {
  #cancel: (() => void) | undefined;

  constructor(
    private readonly timers: Timers,
    private readonly clock: Clock,
  ) {}

  /** `due` in milliseconds since 1970. It may ring early where the moment is far away. */
  set(due: number, ring: () => void): void {
    this.clear();
    this.#cancel = this.timers.after(due - this.clock.now(), ring, 'background');
  }

  /** Nothing rings any more. */
  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
