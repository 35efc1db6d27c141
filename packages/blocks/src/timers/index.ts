/** Timers: blocks that run at set times. */
import type { BlockType } from '@blockwork/core/block';
import { timerBlock } from './timer.js';

export { timerBlock };

export const timerBlocks: readonly BlockType[] = [timerBlock];
