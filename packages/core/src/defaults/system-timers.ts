/** The system's timers. */
import type { Timers } from '../ports/index.js';

/** The longest delay `setTimeout` supports; longer ones fire at once. */
const LONGEST = 2 ** 31 - 1;

export const systemTimers: Timers = {
  after(ms, run, kind) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST));
    if (kind === 'background') timer.unref();
    return () => clearTimeout(timer);
  },
};
