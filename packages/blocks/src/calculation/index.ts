/** Calculation: credentials made from others by formulas and scripts; documents aggregated and split. */
import type { BlockType } from '@blockwork/core/block';
import { ScriptPool, type ScriptPoolOptions } from '../scripts/index.js';
import { aggregateDocumentBlock } from './aggregate-document.js';
import { calculateContainerBlock } from './calculate-container.js';
import { calculateMathAddon } from './calculate-math-addon.js';
import { calculateMathVariables } from './calculate-math-variables.js';
import { customLogicBlock } from './custom-logic.js';
import { splitBlock } from './split.js';

export {
  aggregateDocumentBlock,
  calculateContainerBlock,
  calculateMathAddon,
  calculateMathVariables,
  customLogicBlock,
  splitBlock,
};

export interface CalculationOptions {
  /** Limits of the scripts of policies, where they differ from the defaults. */
  readonly scripts?: ScriptPoolOptions;
}

export const calculationBlocks = ({ scripts = {} }: CalculationOptions = {}): BlockType[] => [
  calculateContainerBlock,
  calculateMathAddon,
  calculateMathVariables,
  customLogicBlock(new ScriptPool(scripts)),
  aggregateDocumentBlock,
  splitBlock,
];
