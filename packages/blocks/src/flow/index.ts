/** Flow: which way a run continues. */
import type { AnyBlockType } from '@blockwork/core/block';
import { switchBlock } from './switch.js';

export { switchBlock };

export const flowBlocks: readonly AnyBlockType[] = [switchBlock];
