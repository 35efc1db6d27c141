/** Relations of accounts with tokens: associated or not, frozen or not, known to the issuer or not. */
import { tokenRelationId } from '../records/index.js';
import type { LedgerEffect, TokenRelation } from '../records/index.js';
import { refuse } from './refuse.js';

export type RelationChange = Extract<
  LedgerEffect['type'],
  'associate' | 'dissociate' | 'freeze' | 'unfreeze' | 'grant-kyc' | 'revoke-kyc'
>;

/** The relation of an account that has never been associated with the token. */
export const noRelation = (tokenId: string, accountId: string): TokenRelation => ({
  id: tokenRelationId(tokenId, accountId),
  tokenId,
  accountId,
  associated: false,
  frozen: false,
  kyc: 'unset',
  balance: '0',
});

/**
 * The relation after the change; `null` if nothing changes. Throws `LEDGER_REFUSED`: only an associated account can be frozen or
 * have its KYC decided, and one with a balance or a freeze cannot be dissociated. A KYC decision survives dissociation, so that
 * leaving and rejoining does not undo a revocation.
 */
export function changedRelation(relation: TokenRelation, change: RelationChange): TokenRelation | null {
  const after = { ...relation, ...outcomes[change] };
  const isSame = (['associated', 'frozen', 'kyc'] as const).every((fact) => after[fact] === relation[fact]);
  if (isSame) return null;
  const { tokenId, accountId, associated, frozen, balance } = relation;
  if (accountId === '') refuse(`no account is named for token ${tokenId}`);
  const about = `account ${accountId} of token ${tokenId}`;
  if (change === 'dissociate' && frozen) refuse(`${about} is frozen and cannot be dissociated`);
  if (change === 'dissociate' && balance !== '0')
    refuse(`${about} still holds ${balance} units and cannot be dissociated`);
  if (change !== 'associate' && !associated) refuse(`${about} is not associated, so "${change}" is not possible`);
  return after;
}

const outcomes: Readonly<Record<RelationChange, Partial<TokenRelation>>> = {
  associate: { associated: true },
  dissociate: { associated: false },
  freeze: { frozen: true },
  unfreeze: { frozen: false },
  'grant-kyc': { kyc: 'granted' },
  'revoke-kyc': { kyc: 'revoked' },
};
