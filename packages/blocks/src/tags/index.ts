/** Tags: notes by users on the documents of a grid. */
import type { BlockType } from '@blockwork/core/block';
import { tagsManager } from './tags-manager.js';

export { tagsManager };

export const tagBlocks: readonly BlockType[] = [tagsManager];
