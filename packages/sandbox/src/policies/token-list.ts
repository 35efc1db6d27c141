/** Tokens in the reference's format: those of policies, and those that a registry made for its policies. */
import type { Accounts, Caller, LedgerToken, PolicyEngine, PolicyRecord, TokenRelation } from '@blockwork/core';
import { statusIs } from '@blockwork/core/records';
import type { MadeToken, Relation } from '../memory/things.js';

export interface TokenDeps {
  readonly engine: PolicyEngine;
  readonly accounts: Accounts;
}

/** A policy with a book of its own: it is tried or published. */
export const hasBook = ({ status }: PolicyRecord): boolean => status === 'DRY-RUN' || statusIs(status, 'published');

export async function tokenOfPolicy(
  { engine, accounts }: TokenDeps,
  caller: Caller,
  policy: PolicyRecord,
  { id, tokenName, tokenSymbol, tokenType, decimals, source }: LedgerToken,
): Promise<object> {
  const isDraft = policy.status === 'DRAFT';
  const flag = (name: string): boolean => source[name] === true;
  const shown = {
    ...{ _id: id, id, tokenId: id, tokenName, tokenSymbol, tokenType, decimals: String(decimals), initialSupply: '0' },
    adminId: isDraft ? null : await accounts.accountOf(policy.owner),
    ...{ changeSupply: flag('changeSupply'), enableAdmin: flag('enableAdmin'), enableKYC: flag('enableKYC') },
    ...{ enableFreeze: flag('enableFreeze'), enableWipe: flag('enableWipe'), wipeContractId: null },
    ...{ owner: policy.owner, policyId: policy.id, draftToken: isDraft, topicId: policy.topicId },
    createDate: policy.createDate,
    ...{ policies: [`${policy.name} (${policy.version})`], policyIds: [policy.id], canDelete: false },
  };
  if (policy.owner === caller.did) return shown;
  const account = (await accounts.accountOf(caller.did)) ?? '';
  return { ...shown, ...heldAs(await engine.program.ledger.getRelation(policy.id, id, account), decimals) };
}

export async function tokenOfRegistry({ accounts }: TokenDeps, token: MadeToken): Promise<object> {
  const adminId = token.draftToken ? null : await accounts.accountOf(token.owner);
  return {
    ...{ ...token, _id: token.id, tokenId: token.id, adminId, policyId: null, topicId: null },
    ...{ policies: [], policyIds: [], canDelete: true },
  };
}

/** What an account holds, as the book of a policy has it. */
export const heldAs = ({ associated, balance, frozen, kyc }: TokenRelation, decimals: number): object => ({
  associated,
  balance: decimalOf(balance, decimals),
  hBarBalance: '100',
  frozen,
  kyc: kyc === 'granted',
});

/** What an account has to do with a token that is in no book: it holds none. */
export const relatedAs = (
  { associated, frozen, kyc }: Pick<Relation, 'associated' | 'frozen' | 'kyc'>,
  { decimals }: MadeToken,
): object => ({ associated, balance: decimalOf('0', Number(decimals)), hBarBalance: '100', frozen, kyc });

/** Units as a decimal number. */
function decimalOf(units: string, decimals: number): string {
  if (decimals === 0) return units;
  const digits = units.padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
