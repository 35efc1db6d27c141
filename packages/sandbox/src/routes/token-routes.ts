/** Tokens of policies, in the reference's format. */
import type { Caller, LedgerToken, PolicyRecord } from '@blockwork/core';
import { statusIs } from '@blockwork/core/records';
import { listedPolicies, newestFirst } from '../policies/policy-list.js';
import { page, type SandboxCall, type SandboxRoute } from '../requests/endpoint.js';
import type { RouteDeps } from './route-deps.js';

export const tokenRoutes = (deps: RouteDeps): SandboxRoute[] => [
  { method: 'GET', path: '/tokens', handle: async (call) => page(await tokensOf(deps, call), call.query) },
];

const isTrialOrPublished = (status: string): boolean => status === 'DRY-RUN' || statusIs(status, 'published');

/** Newest policy first: those of the policies that the caller lists, for callers with foreign tokens the running ones. */
async function tokensOf(deps: RouteDeps, { person: of, query }: SandboxCall): Promise<object[]> {
  const person = await of();
  const { caller } = person;
  if (caller === null) return [];
  const policyId = query.get('policy') ?? query.get('policyId');
  const policies = newestFirst(await listedPolicies(deps.engine, person)).filter(
    ({ id, owner, status }) =>
      (policyId === undefined || id === policyId) && (owner === caller.did || isTrialOrPublished(status)),
  );
  const tokens = policies.map(async (policy) => {
    const listed = await deps.engine.program.ledger.listTokens(policy.id);
    return Promise.all(listed.map((token) => tokenOf(deps, caller, policy, token)));
  });
  return (await Promise.all(tokens)).flat();
}

async function tokenOf(
  { engine, accounts }: RouteDeps,
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
    ...{
      owner: policy.owner,
      policyId: policy.id,
      draftToken: isDraft,
      topicId: policy.topicId,
      createDate: policy.createDate,
    },
    ...{ policies: [`${policy.name} (${policy.version})`], policyIds: [policy.id], canDelete: false },
  };
  if (policy.owner === caller.did) return shown;
  const account = (await accounts.accountOf(caller.did)) ?? '';
  const { associated, balance, frozen, kyc } = await engine.program.ledger.getRelation(policy.id, id, account);
  return {
    ...shown,
    associated,
    balance: decimalOf(balance, decimals),
    hBarBalance: '100',
    frozen,
    kyc: kyc === 'granted',
  };
}

/** Units as a decimal number. */
function decimalOf(units: string, decimals: number): string {
  if (decimals === 0) return units;
  const digits = units.padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
