/** Flow: the paths along which a run continues. */
import type { BlockType } from '@blockwork/core/block';
import { switchBlock } from './switch.js';

export { switchBlock };

export const flowBlocks: readonly BlockType[] = [switchBlock];
