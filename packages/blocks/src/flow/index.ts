/** Flow: the paths along which a run continues. */
import type { BlockType } from '@blockwork/core/block';
import type { FormulaBlockOptions } from '../formulas/index.js';
import { switchBlock } from './switch.js';

export { switchBlock };

export const flowBlocks = (settings: FormulaBlockOptions): readonly BlockType[] => [switchBlock(settings)];
