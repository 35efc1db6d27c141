/** Groups: membership and joint decisions. */
import type { BlockType } from '@blockwork/core/block';
import { groupManagerBlock } from './group-manager.js';
import { multiSignBlock } from './multi-sign.js';

export { groupManagerBlock, multiSignBlock };

export const groupBlocks: readonly BlockType[] = [groupManagerBlock, multiSignBlock];
