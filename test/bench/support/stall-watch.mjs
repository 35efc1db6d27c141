/** How long the event loop did not come round at the longest: by the clock, and on the processor, which other programs do not slow. */
import { readFileSync } from 'node:fs';
import { clearImmediate, setImmediate } from 'node:timers';

/** Milliseconds that the main thread has run, or the whole process where the system does not say. */
function processorTime() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

export class StallWatch {
  #last = performance.now();
  #lastUsed = processorTime();
  #longest = { ms: 0, processor: 0 };
  #turn = setImmediate(() => this.#came());

  #came() {
    this.#note();
    this.#turn = setImmediate(() => this.#came());
  }

  #note() {
    const [now, used] = [performance.now(), processorTime()];
    this.#longest.ms = Math.max(this.#longest.ms, now - this.#last);
    this.#longest.processor = Math.max(this.#longest.processor, used - this.#lastUsed);
    this.#last = now;
    this.#lastUsed = used;
  }

  /** In milliseconds. */
  stop() {
    clearImmediate(this.#turn);
    this.#note();
    return this.#longest;
  }
}
