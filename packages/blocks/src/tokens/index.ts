/** Tokens: minting, retiring and making them, and what accounts may do with them. */
import type { BlockType } from '@blockwork/core/block';
import type { FormulaBlockOptions } from '../formulas/index.js';
import { createTokenBlock } from './create-token.js';
import { impactAddon } from './impact-addon.js';
import { mintDocumentBlock } from './mint-document.js';
import { retirementDocumentBlock } from './retirement-document.js';
import { tokenActionBlock } from './token-action.js';
import { tokenConfirmationBlock } from './token-confirmation.js';

export {
  createTokenBlock,
  impactAddon,
  mintDocumentBlock,
  retirementDocumentBlock,
  tokenActionBlock,
  tokenConfirmationBlock,
};

/** Throws `OPTION_INVALID`. */
export const tokenBlocks = (settings: FormulaBlockOptions): readonly BlockType[] => [
  mintDocumentBlock(settings),
  impactAddon(settings),
  retirementDocumentBlock(settings),
  tokenActionBlock,
  tokenConfirmationBlock,
  createTokenBlock,
];
