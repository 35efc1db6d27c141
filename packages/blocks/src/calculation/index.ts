/** Calculation: credentials made from others by formulas and scripts; documents aggregated and split. */
import type { BlockType } from '@blockwork/core/block';
import { aggregateDocumentBlock } from './aggregate-document.js';
import { calculateContainerBlock } from './calculate-container.js';
import { calculateMathAddon } from './calculate-math-addon.js';
import { calculateMathVariables } from './calculate-math-variables.js';
import { customLogicBlock, type CustomLogicOptions } from './custom-logic.js';
import { mathBlock, mathBlockOptions, type MathBlockOptions } from './math/index.js';
import { splitBlock } from './split.js';

export {
  aggregateDocumentBlock,
  calculateContainerBlock,
  calculateMathAddon,
  calculateMathVariables,
  customLogicBlock,
  type CustomLogicOptions,
  mathBlock,
  mathBlockOptions,
  type MathBlockOptions,
  splitBlock,
};

export const calculationBlocks = ({ formulas, scripts, threads }: Required<MathBlockOptions>): readonly BlockType[] => [
  calculateContainerBlock,
  calculateMathAddon({ formulas, threads }),
  calculateMathVariables,
  customLogicBlock({ scripts, threads }),
  mathBlock({ formulas, scripts, threads }),
  aggregateDocumentBlock({ formulas, threads }),
  splitBlock,
];
