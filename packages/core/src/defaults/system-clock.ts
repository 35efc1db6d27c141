/** The time of the machine. */
import type { Clock } from '../ports/index.js';

export const systemClock: Clock = { now: () => Date.now() };
