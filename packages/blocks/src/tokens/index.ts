/** Tokens: minting, retiring and making them, and what accounts may do with them. */
import type { AnyBlockType } from '@blockwork/core/block';
import { CreateToken } from './create-token.js';
import { ImpactAddon } from './impact-addon.js';
import { MintDocument } from './mint-document.js';
import { RetirementDocument } from './retirement-document.js';
import { TokenAction } from './token-action.js';
import { TokenConfirmation } from './token-confirmation.js';

export { CreateToken, ImpactAddon, MintDocument, RetirementDocument, TokenAction, TokenConfirmation };

export const tokenBlocks: readonly AnyBlockType[] = [
  MintDocument,
  ImpactAddon,
  RetirementDocument,
  TokenAction,
  TokenConfirmation,
  CreateToken,
];
