/** What accounts have to do with the tokens of registries: as a ledger keeps it for tokens that no policy uses yet. */
import { SandboxError } from '../../errors.js';
import type { MadeToken, Relation } from '../../memory/things.js';

export const noRelation = { associated: false, frozen: false, kyc: false };

/** No account or id has a slash. */
export const relationId = (tokenId: string, account: string): string => `${tokenId}/${account}`;

export type RelationChange = 'associate' | 'dissociate' | 'grant-kyc' | 'revoke-kyc' | 'freeze' | 'unfreeze';

const outcomes: Readonly<Record<RelationChange, Partial<Relation>>> = {
  associate: { associated: true },
  dissociate: { associated: false },
  'grant-kyc': { kyc: true },
  'revoke-kyc': { kyc: false },
  freeze: { frozen: true },
  unfreeze: { frozen: false },
};

/** Throws `TOKEN_REFUSED_BY_BOOK` for what a ledger refuses. */
export function relationAfter(token: MadeToken, relation: Relation, change: RelationChange): Relation {
  const refuse = (reason: string): never => {
    throw new SandboxError('TOKEN_REFUSED_BY_BOOK', { tokenId: token.id, account: relation.account, reason });
  };
  if (token.draftToken) refuse('it is a draft, which is on no ledger yet');
  if (change.endsWith('kyc') && !token.enableKYC) refuse('it has no KYC key');
  if (change.endsWith('freeze') && !token.enableFreeze) refuse('it has no freeze key');
  if (change !== 'associate' && !relation.associated) refuse('the account is not associated');
  if (change === 'dissociate' && relation.frozen) refuse('the account is frozen');
  return { ...relation, ...outcomes[change] };
}
