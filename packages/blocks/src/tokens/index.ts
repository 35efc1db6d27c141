/** Tokens: minting, retiring and making them, and what accounts may do with them. */
import type { BlockType } from '@blockwork/core/block';
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

export const tokenBlocks: readonly BlockType[] = [
  mintDocumentBlock,
  impactAddon,
  retirementDocumentBlock,
  tokenActionBlock,
  tokenConfirmationBlock,
  createTokenBlock,
];
