/** Timers: blocks that run at set times. */
import type { AnyBlockType } from '@blockwork/core/block';
import { TimerBlock } from './timer.js';

export { TimerBlock };

export const timerBlocks: readonly AnyBlockType[] = [TimerBlock];
