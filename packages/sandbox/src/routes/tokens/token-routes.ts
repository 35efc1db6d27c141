/** Lists of tokens. */
import { hasBook, relatedAs, tokenOfPolicy, tokenOfRegistry } from '../../policies/token-list.js';
import { listedPolicies, newestFirst } from '../../policies/policy-list.js';
import { page, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import type { RouteDeps } from '../route-deps.js';
import { noRelation, relationId } from './token-relations.js';

export const tokenRoutes = (deps: RouteDeps): SandboxRoute[] => [
  { method: 'GET', path: '/tokens', handle: async (call) => page(await listedTokens(deps, call), call.query) },
];

/**
 * Those of registries first, then those of policies, each newest first. A token that a policy uses is listed there only.
 * For callers with foreign tokens those of the running policies.
 */
export async function listedTokens(deps: RouteDeps, { person: of, query }: SandboxCall): Promise<object[]> {
  const person = await of();
  const { caller, account } = person;
  if (caller === null) return [];
  const policyId = query.get('policy') ?? query.get('policyId');
  const policies = newestFirst(await listedPolicies(deps.engine, person)).filter(
    (policy) => (policyId === undefined || policy.id === policyId) && (policy.owner === caller.did || hasBook(policy)),
  );
  const used = new Set<string>();
  const ofPolicies: object[] = [];
  for (const policy of policies) {
    for (const token of await deps.engine.program.ledger.listTokens(policy.id)) {
      used.add(token.id);
      ofPolicies.push(await tokenOfPolicy(deps, caller, policy, token));
    }
  }
  if (policyId !== undefined) return ofPolicies;
  const { tokens, relations } = deps.books;
  const isSeen = (owner: string, isDraft: boolean): boolean =>
    owner === caller.did || (!isDraft && owner === account?.parent);
  const own = tokens.all().filter(({ id, owner, draftToken }) => isSeen(owner, draftToken) && !used.has(id));
  const ledgerAccount = (await deps.accounts.accountOf(caller.did)) ?? '';
  const ofRegistries = own.reverse().map(async (token) => {
    const shown = await tokenOfRegistry(deps, token);
    if (token.owner === caller.did) return shown;
    return { ...shown, ...relatedAs(relations.get(relationId(token.id, ledgerAccount)) ?? noRelation, token) };
  });
  return [...(await Promise.all(ofRegistries)), ...ofPolicies];
}
