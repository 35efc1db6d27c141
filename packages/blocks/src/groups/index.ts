/** Groups: who is in them, and what they decide together. */
import type { AnyBlockType } from '@blockwork/core/block';
import { GroupManager } from './group-manager.js';
import { MultiSign } from './multi-sign.js';

export { GroupManager, MultiSign };

export const groupBlocks: readonly AnyBlockType[] = [GroupManager, MultiSign];
