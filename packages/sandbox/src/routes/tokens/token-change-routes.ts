/** Tokens that a registry makes for its policies, and what accounts have to do with them. */
import type { Caller, LedgerToken, PolicyRecord } from '@blockwork/core';
import { isoNow } from '@blockwork/core/adapter';
import { z } from 'zod';
import { SandboxError } from '../../errors.js';
import { newEntityId } from '../../memory/new-id.js';
import { keptToken, type MadeToken, type Relation } from '../../memory/things.js';
import { policiesOf } from '../../policies/policy-list.js';
import { hasBook, heldAs, relatedAs, tokenOfRegistry } from '../../policies/token-list.js';
import { checked, created, ok, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import { registryOf } from '../../requests/registry.js';
import { asTask, type RouteDeps } from '../route-deps.js';
import { noRelation, relationAfter, relationId, type RelationChange } from './token-relations.js';
import { listedTokens } from './token-routes.js';

const flag = z
  .preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean())
  .default(false);
const number = z.coerce
  .string()
  .regex(/^\d{1,18}$/, 'must be a whole number')
  .default('0');
const written = z.looseObject({
  ...{ tokenName: z.string().min(1).max(100), tokenSymbol: z.string().min(1).max(100) },
  tokenType: keptToken.shape.tokenType.default('fungible'),
  decimals: z.coerce
    .string()
    .regex(/^(\d|1[0-8])$/, 'must be a whole number up to 18')
    .default('0'),
  initialSupply: number,
  ...{ changeSupply: flag, enableAdmin: flag, enableFreeze: flag, enableKYC: flag, enableWipe: flag, draftToken: flag },
  wipeContractId: z.string().max(100).nullish(),
});
const changed = written.extend({ tokenId: z.string().min(1).max(100) });

export function tokenChangeRoutes(deps: RouteDeps): SandboxRoute[] {
  const path = '/tokens/push';
  return [
    {
      method: 'POST',
      path: '/tokens',
      body: 'data',
      handle: async (call) => {
        await create(deps, call);
        return created(await listedTokens(deps, { ...call, query: new Map() }));
      },
    },
    {
      method: 'POST',
      path,
      body: 'data',
      handle: (call) => asTask(deps, call, 'Create token', () => create(deps, call)),
    },
    { method: 'PUT', path: '/tokens', body: 'data', handle: async (call) => created(await update(deps, call)) },
    {
      method: 'PUT',
      path,
      body: 'data',
      handle: (call) => asTask(deps, call, 'Update token', () => update(deps, call)),
    },
    {
      method: 'DELETE',
      path: `${path}/{tokenId}`,
      handle: (call) => asTask(deps, call, 'Delete token', () => remove(deps, call)),
    },
    ...relationRoutes(deps),
  ];
}

function relationRoutes(deps: RouteDeps): SandboxRoute[] {
  const put = (route: string, change: RelationChange, accountOf: AccountOf): SandboxRoute[] => [
    {
      method: 'PUT',
      path: `/tokens/${route}/${change}`,
      handle: async (call) => ok(await related(deps, call, change, accountOf)),
    },
    {
      method: 'PUT',
      path: `/tokens/push/${route}/${change}`,
      handle: (call) => asTask(deps, call, taskNames[change], () => related(deps, call, change, accountOf)),
    },
  ];
  const own: AccountOf = async (call) => (await deps.accounts.accountOf(callerOf(await call.person()).did)) ?? '';
  const named: AccountOf = async (call) => {
    await registryOf(call);
    const { username = '' } = call.params;
    const { did } = deps.accounts.byName(username) ?? {};
    if (!did) throw new SandboxError('ACCOUNT_UNKNOWN', { username });
    return (await deps.accounts.accountOf(did)) ?? '';
  };
  return [
    ...put('{tokenId}', 'associate', own),
    ...put('{tokenId}', 'dissociate', own),
    ...(['grant-kyc', 'revoke-kyc', 'freeze', 'unfreeze'] as const).flatMap((change) =>
      put('{tokenId}/{username}', change, named),
    ),
    {
      method: 'GET',
      path: '/tokens/{tokenId}/{username}/info',
      handle: async (call) => ok(await related(deps, call, undefined, named)),
    },
    {
      method: 'GET',
      path: '/tokens/{tokenId}/serials',
      handle: async (call) => ok(await serialsOf(deps, call)),
    },
  ];
}

type AccountOf = (call: SandboxCall) => Promise<string>;

const taskNames: Readonly<Record<RelationChange, string>> = {
  associate: 'Associate/Dissociate token',
  dissociate: 'Associate/Dissociate token',
  'grant-kyc': 'Grant/Revoke KYC',
  'revoke-kyc': 'Grant/Revoke KYC',
  freeze: 'Freeze/Unfreeze token',
  unfreeze: 'Freeze/Unfreeze token',
};

/** Throws `INPUT_INVALID`. Non-fungible tokens are whole. */
function tokenIn<Shape extends typeof written>(body: unknown, shape: Shape): z.infer<Shape> {
  const given = checked(body, shape) as z.infer<Shape>;
  return given.tokenType === 'non-fungible' ? { ...given, decimals: '0' } : given;
}

async function create(deps: RouteDeps, call: SandboxCall): Promise<object> {
  const { did } = await registryOf(call);
  const { draftToken, wipeContractId = null, ...given } = tokenIn(call.body, written);
  const id = draftToken ? deps.ids.uuid() : newEntityId(deps.ids);
  const token = keptToken.parse({
    ...given,
    id,
    owner: did,
    draftToken,
    wipeContractId,
    createDate: isoNow(deps.clock),
  });
  return tokenOfRegistry(deps, await deps.books.tokens.put(token));
}

async function update(deps: RouteDeps, call: SandboxCall): Promise<object> {
  const { did } = await registryOf(call);
  const { tokenId, draftToken: _draft, ...given } = tokenIn(call.body, changed);
  const before = deps.books.tokens.ofOwner(tokenId, did);
  if (before === undefined) throw new SandboxError('TOKEN_UNKNOWN', { tokenId });
  // The ledger does not change what a token is.
  const { tokenName, tokenSymbol } = given;
  const token = before.draftToken ? keptToken.parse({ ...before, ...given }) : { ...before, tokenName, tokenSymbol };
  return tokenOfRegistry(deps, await deps.books.tokens.put(token));
}

/** Rejects with `TOKEN_USED` if a policy has it. */
async function remove({ engine, books }: RouteDeps, call: SandboxCall): Promise<true> {
  const caller = await registryOf(call);
  const { tokenId = '' } = call.params;
  if (books.tokens.ofOwner(tokenId, caller.did) === undefined) throw new SandboxError('TOKEN_UNKNOWN', { tokenId });
  for (const policy of await policiesOf(engine, caller)) {
    const tokens = await engine.program.ledger.listTokens(policy.id);
    if (tokens.some(({ id }) => id === tokenId)) throw new SandboxError('TOKEN_USED', { tokenId, policy: policy.name });
  }
  for (const { id, tokenId: of } of books.relations.all()) if (of === tokenId) await books.relations.delete(id);
  return books.tokens.delete(tokenId).then(() => true);
}

/** The token as the account has it, after the change if there is one. */
async function related(
  deps: RouteDeps,
  call: SandboxCall,
  change: RelationChange | undefined,
  accountOf: AccountOf,
): Promise<object> {
  const { books, engine } = deps;
  const { tokenId = '' } = call.params;
  const caller = callerOf(await call.person());
  const account = await accountOf(call);
  const inBook = await bookOf(deps, caller, tokenId);
  if (inBook !== undefined) {
    const { policy, token } = inBook;
    const relation = await engine.program.ledger.getRelation(policy.id, tokenId, account);
    const isSo = change === 'associate' ? relation.associated : change === 'dissociate' ? !relation.associated : false;
    if (change !== undefined && !isSo) throw new SandboxError('TOKEN_OF_POLICY', { tokenId, policy: policy.name });
    const { tokenName, tokenSymbol, decimals } = token;
    return { id: tokenId, tokenId, tokenName, tokenSymbol, ...heldAs(relation, decimals) };
  }
  const token = madeToken(deps, call, caller, tokenId);
  const id = relationId(tokenId, account);
  const before: Relation = books.relations.get(id) ?? { id, owner: token.owner, tokenId, account, ...noRelation };
  const after = change === undefined ? before : await books.relations.put(relationAfter(token, before, change));
  const { tokenName, tokenSymbol } = token;
  return { id: tokenId, tokenId, tokenName, tokenSymbol, ...relatedAs(after, token) };
}

/** Accounts associate themselves with any token that is on the ledger; all else is for its owner. */
function madeToken({ books }: RouteDeps, { params }: SandboxCall, { did }: Caller, tokenId: string): MadeToken {
  const token = books.tokens.get(tokenId);
  if (token !== undefined && (params['username'] === undefined || token.owner === did)) return token;
  throw new SandboxError('TOKEN_UNKNOWN', { tokenId });
}

/** The policy whose book has the token, among those that the caller sees. */
async function bookOf(
  { engine }: RouteDeps,
  caller: Caller,
  tokenId: string,
): Promise<{ policy: PolicyRecord; token: LedgerToken } | undefined> {
  for (const policy of await policiesOf(engine, caller)) {
    const token = hasBook(policy) ? await engine.program.ledger.getToken(policy.id, tokenId) : undefined;
    if (token !== undefined) return { policy, token };
  }
  return undefined;
}

/** Serial numbers that the caller's account has got, and not given away, by the book of the policy. */
async function serialsOf(deps: RouteDeps, call: SandboxCall): Promise<number[]> {
  const { tokenId = '' } = call.params;
  const caller = callerOf(await call.person());
  const account = await deps.accounts.accountOf(caller.did);
  const inBook = await bookOf(deps, caller, tokenId);
  if (inBook === undefined) {
    madeToken(deps, call, caller, tokenId);
    return [];
  }
  const held = new Set<number>();
  for (let offset = 0; ;) {
    const { items, total } = await deps.engine.program.ledger.listEffects(inBook.policy.id, { offset, limit: 1000 });
    for (const { tokenId: of, type, accountId, fromAccountId, serials = [] } of items) {
      if (of !== tokenId) continue;
      for (const serial of serials.flatMap(([first, last]) => range(first, last))) {
        if (fromAccountId === account || (type === 'wipe' && accountId === account)) held.delete(serial);
        else if (accountId === account && held.size < SERIALS) held.add(serial);
      }
    }
    offset += items.length;
    if (items.length === 0 || offset >= total) return [...held].sort((a, b) => a - b);
  }
}

/** An answer lists no more, and no mint is walked through any further. */
const SERIALS = 10_000;

const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.min(SERIALS, last - first + 1) }, (_, at) => first + at);
