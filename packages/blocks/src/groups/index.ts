/** Groups: who is in them, and what they decide together. */
import type { BlockType } from '@blockwork/core/block';
import { groupManagerBlock } from './group-manager.js';
import { multiSignBlock } from './multi-sign.js';

export { groupManagerBlock, multiSignBlock };

export const groupBlocks: readonly BlockType[] = [groupManagerBlock, multiSignBlock];
