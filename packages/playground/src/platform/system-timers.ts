/** The timers of core for a page, where nothing waits for the last timer to end. */
import type { Timers } from '@blockwork/core';

/** The longest delay `setTimeout` supports; longer ones fire at once. */
const LONGEST = 2 ** 31 - 1;

export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST));
    return () => {
      clearTimeout(timer);
    };
  },
};
