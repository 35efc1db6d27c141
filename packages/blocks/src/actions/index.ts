/** Actions on the rows of grids: buttons, choices, downloads. */
import type { BlockType } from '@blockwork/core/block';
import { buttonBlock } from './button.js';
import { interfaceActionBlock } from './interface-action.js';

export { buttonBlock, interfaceActionBlock };

export const actionBlocks: readonly BlockType[] = [buttonBlock, interfaceActionBlock];
