/** Profiles, which assign DIDs to accounts, and sample ledger keys. */
import type { Ids } from '@blockwork/core';
import { z } from 'zod';
import { profileOf, type Account } from '../accounts/account.js';
import { SandboxError } from '../errors.js';
import { checked, ok, type SandboxCall, type SandboxRoute } from '../requests/endpoint.js';
import type { Person } from '../requests/person.js';
import { policiesOf } from '../policies/policy-list.js';
import { registryOnly } from '../requests/registry.js';
import { asTask, type RouteDeps } from './route-deps.js';

const profile = z.looseObject({
  hederaAccountId: z.string().max(100).nullish(),
  hederaAccountKey: z.string().max(1024).nullish(),
  parent: z.string().max(500).nullish(),
});

export function profileRoutes(deps: RouteDeps): SandboxRoute[] {
  return [
    {
      method: 'GET',
      path: '/profiles/{username}',
      handle: async (call) => ok(await profileOfPerson(deps, await call.person())),
    },
    {
      method: 'PUT',
      path: '/profiles/{username}',
      body: 'data',
      handle: async (call) => {
        await setProfile(deps, call);
        return { status: 204 };
      },
    },
    {
      method: 'PUT',
      path: '/profiles/push/{username}',
      body: 'data',
      handle: (call) => asTask(deps, call, 'Connect user', () => setProfile(deps, call)),
    },
    // The only route of the reference that returns plain text.
    { method: 'GET', path: '/profiles/{username}/balance', handle: () => ok('100') },
    { method: 'GET', path: '/demo/random-key', handle: () => ok(randomKey(deps.ids)) },
    // The spelling of older versions.
    { method: 'GET', path: '/demo/randomKey', handle: () => ok(randomKey(deps.ids)) },
    {
      method: 'GET',
      path: '/demo/push/random-key',
      handle: (call) => asTask(deps, call, 'Create random key', async () => randomKey(deps.ids)),
    },
    {
      method: 'GET',
      path: '/demo/registered-users',
      handle: async (call) => {
        await registryOnly(call);
        return ok(await Promise.all(deps.accounts.all().map((account) => registeredUser(deps, account))));
      },
    },
  ];
}

/** Resolves with the DID. The key must be given but is never used: nothing here signs on a ledger. */
async function setProfile({ accounts }: RouteDeps, call: SandboxCall): Promise<string> {
  const { account } = await call.person();
  const { username = '' } = call.params;
  // Accounts always change their own profile, regardless of the name in the path.
  if (account === null) throw new SandboxError('ACCOUNT_UNKNOWN', { username });
  const { hederaAccountId, hederaAccountKey, parent = null } = checked(call.body, profile);
  if (!hederaAccountId || !hederaAccountKey) throw new SandboxError('PROFILE_INCOMPLETE');
  const { did } = await accounts.setProfile(account.id, { hederaAccountId, parent });
  return did ?? '';
}

async function profileOfPerson({ engine, accounts }: RouteDeps, { account, caller }: Person): Promise<object> {
  const did = account === null ? (caller?.did ?? null) : account.did;
  const document = did === null ? undefined : await engine.program.getIdentityDocument(did);
  const row = document === undefined ? null : { id: did, did, status: 'CREATE', document };
  if (account !== null) return profileOf(account, row);
  const { username = did ?? '', role = 'USER' } = caller ?? {};
  const hederaAccountId = did === null ? null : await accounts.accountOf(did);
  const fromToken = { username, role, did, parent: null, hederaAccountId, topicId: null };
  return { ...profileOf({ ...nobody, ...fromToken } as Account, row) };
}

const nobody = { id: '', password: { salt: '', hash: '' }, createDate: '', updateDate: '' };

/** A random account id, and a dummy key of realistic length. */
function randomKey(ids: Ids): { id: string; key: string } {
  const digits = (): string => ids.uuid().replaceAll('-', '');
  return { id: `0.0.${String(1000 + Number.parseInt(digits().slice(-12), 16))}`, key: `${digits()}${digits()}` };
}

async function registeredUser({ engine }: RouteDeps, { username, did, role, parent }: Account): Promise<object> {
  const policies = did === null ? [] : await policiesOf(engine, { did, username, role });
  const policyRoles = policies
    .filter(({ userGroups = [] }) => userGroups.length > 0)
    .map(({ name, version, userRole }) => ({ name, version, role: userRole }));
  return { username, did, role, parent, policyRoles };
}
