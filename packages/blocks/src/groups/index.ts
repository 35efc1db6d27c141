/** Groups: who is in them, and what they decide together. */
import type { BlockType } from '@blockwork/core/block';
import { GroupManager } from './group-manager.js';
import { MultiSign } from './multi-sign.js';

export { GroupManager, MultiSign };

export const groupBlocks: readonly BlockType[] = [GroupManager, MultiSign];
