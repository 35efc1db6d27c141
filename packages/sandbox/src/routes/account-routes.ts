/** Accounts and sessions. */
import { AuthenticationError } from '@blockwork/http';
import { z } from 'zod';
import { accountRoles, userOf, type Account } from '../accounts/account.js';
import { SandboxError } from '../errors.js';
import { checked, created, ok, type SandboxCall, type SandboxRoute } from '../requests/endpoint.js';
import type { Person } from '../requests/person.js';
import { registryOnly } from '../requests/registry.js';
import { newestFirst, publicRow, publishedBy } from '../policies/policy-list.js';
import type { RouteDeps } from './route-deps.js';

const name = z.string().min(1).max(200);
/** Bounds the input of scrypt. */
const password = z.string().min(1).max(1024);
const registration = z.object({
  ...{ username: name, password, role: z.enum(accountRoles).default('USER') },
  password_confirmation: z.string().optional(),
});
const login = z.object({ username: name, password });
const refresh = z.object({ refreshToken: z.string().max(8192) });

export function accountRoutes(deps: RouteDeps): SandboxRoute[] {
  const { accounts, tokens } = deps;
  return [
    {
      method: 'POST',
      path: '/accounts/register',
      isOpen: true,
      body: 'data',
      handle: async ({ body }) => {
        const { role, password_confirmation: repeated, ...credentials } = checked(body, registration);
        if (repeated !== undefined && repeated !== credentials.password) throw new SandboxError('PASSWORDS_DIFFER');
        return created(userOf(await accounts.register(credentials, role)));
      },
    },
    {
      method: 'POST',
      path: '/accounts/login',
      isOpen: true,
      body: 'data',
      handle: async ({ body }) => {
        const account = await accounts.login(checked(body, login));
        const { username, did, role } = account;
        // Clients written for different versions read one or the other.
        const pair = { refreshToken: tokens.refresh(account), accessToken: tokens.access(account) };
        return ok({ username, did, role, ...pair });
      },
    },
    {
      method: 'POST',
      path: '/accounts/access-token',
      isOpen: true,
      body: 'data',
      handle: ({ body }) =>
        created({ accessToken: tokens.access(tokens.ofRefresh(checked(body, refresh).refreshToken)) }),
    },
    { method: 'GET', path: '/accounts/session', isOpen: true, handle: async (call) => ok(await sessionOf(call)) },
    {
      method: 'GET',
      path: '/accounts',
      handle: async (call) => {
        await registryOnly(call);
        const users = accounts.all().filter(({ role }) => role === 'USER');
        return ok(users.map(({ username, parent, did }) => ({ username, parent, did })));
      },
    },
    {
      method: 'GET',
      path: '/accounts/standard-registries',
      handle: () => ok(registriesOf(accounts.all()).map(({ username, did }) => ({ username, did }))),
    },
    {
      method: 'GET',
      path: '/accounts/standard-registries/aggregated',
      // A user chooses one before having a DID, so the lists do not depend on the caller.
      handle: async () => ok(await Promise.all(registriesOf(accounts.all()).map((each) => aggregated(deps, each)))),
    },
    {
      method: 'GET',
      path: '/accounts/balance',
      handle: async (call) => {
        const { account, caller } = await call.person();
        const user = {
          username: account?.username ?? caller?.username ?? '',
          did: account === null ? (caller?.did ?? null) : account.did,
        };
        return ok({ balance: 100, unit: 'Hbar', user });
      },
    },
  ];
}

async function aggregated({ engine }: RouteDeps, { username, did, hederaAccountId }: Account): Promise<object> {
  const policies = did === null ? [] : newestFirst(await publishedBy(engine, did)).map(publicRow);
  return { did, vcDocument: {}, policies, username, hederaAccountId };
}

/** Empty for an anonymous caller: the web client then shows its login page. */
async function sessionOf(call: SandboxCall): Promise<object | undefined> {
  try {
    return userOfPerson(await call.person());
  } catch (error) {
    const isNobody = error instanceof AuthenticationError || (error instanceof SandboxError && error.status === 401);
    if (isNobody) return undefined;
    throw error;
  }
}

/** For a caller without an account: the claims of the token. */
function userOfPerson({ account, caller }: Person): object {
  if (account !== null) return userOf(account);
  const { did = null, username = did, role = 'USER' } = caller ?? {};
  return { id: did, username, role, did, parent: null, hederaAccountId: null, walletToken: '' };
}

const registriesOf = (accounts: readonly Account[]): Account[] =>
  accounts.filter(({ role, did }) => role === 'STANDARD_REGISTRY' && did !== null);
