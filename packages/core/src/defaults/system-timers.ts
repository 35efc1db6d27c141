/** The timers of the machine. */
import type { Timers } from '../ports/index.js';

/** What `setTimeout` can wait; beyond it, it does not wait at all. */
const LONGEST = 2 ** 31 - 1;

export const systemTimers: Timers = {
  after(ms, run, kind) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST));
    if (kind === 'background') timer.unref();
    return () => clearTimeout(timer);
  },
};
