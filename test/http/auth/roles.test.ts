/** The platform role of a caller, from a claim of the identity provider. */
import type { RoleRule } from '@blockwork/http';
import { describe, expect, it } from 'vitest';
import { authenticator, bearer, callerOf, claims, secret } from './support.js';

const values = [
  { value: 'admins', role: 'STANDARD_REGISTRY' },
  { value: 'members', role: 'USER' },
];

async function roleOf(payload: object, roles: RoleRule): Promise<string | undefined> {
  const { role: _role, ...nobody } = claims;
  return (await callerOf(bearer({ ...nobody, ...payload }), { secret, roles })).role;
}

describe('the role', () => {
  it.each<[string, RoleRule, object, string | undefined]>([
    ['of a list', { claim: 'groups', values }, { groups: ['x', 'members'] }, 'USER'],
    ['of a text', { claim: 'group', values }, { group: 'members' }, 'USER'],
    ['of a text, as a whole', { claim: 'group', values }, { group: 'members x' }, undefined],
    ['of scopes', { claim: 'scope', values }, { scope: 'openid members' }, 'USER'],
    [
      'of a claim inside of others',
      { claim: '/realm_access/roles', values },
      { realm_access: { roles: ['admins'] } },
      'STANDARD_REGISTRY',
    ],
    [
      'of a claim that is named by an address',
      { claim: 'https://example.org/roles', values },
      { 'https://example.org/roles': ['members'] },
      'USER',
    ],
    ['of a pointer with escapes', { claim: '/a~1b/c~0d', values }, { 'a/b': { 'c~d': ['members'] } }, 'USER'],
    ['is the first of the rule', { claim: 'groups', values }, { groups: ['members', 'admins'] }, 'STANDARD_REGISTRY'],
    ['has the name of the value by default', { claim: 'roles' }, { roles: ['x', 'AUDITOR'] }, 'AUDITOR'],
    ['is none by default', { claim: 'roles' }, { roles: ['registrar'] }, undefined],
    ['is none without the claim', { claim: 'roles', values }, {}, undefined],
    ['can be one for everybody else', { claim: 'roles', values, otherwise: 'USER' }, { roles: ['x'] }, 'USER'],
    ['is none for values of other types', { claim: 'roles', values }, { roles: [{ members: 1 }, 5, null] }, undefined],
    ['is none for scopes that are no text', { claim: 'scope', values }, { scope: 5 }, undefined],
    ['is none for what is neither a list nor a text', { claim: 'roles', values }, { roles: { members: 1 } }, undefined],
    ['is none at an index of a list', { claim: '/groups/0', values }, { groups: ['members'] }, undefined],
    [
      'is none inside of a text',
      { claim: '/group/0', values: [{ value: 'm', role: 'USER' }] },
      { group: 'm' },
      undefined,
    ],
    ['is none inside of nothing', { claim: '/group/name', values }, { group: null }, undefined],
    ['is none where the claims inherit it', { claim: '/__proto__/members', values }, {}, undefined],
  ])('%s', async (_, rule, payload, role) => {
    expect(await roleOf(payload, rule)).toBe(role);
  });

  it('comes from nowhere else, and permissions of the provider mean nothing here', async () => {
    const payload = { ...claims, role: 'STANDARD_REGISTRY', permissions: ['POLICIES_POLICY_MANAGE'], roles: [] };
    expect(await callerOf(bearer(payload), { secret, roles: { claim: 'roles' } })).toEqual({ did: claims.sub });
    const odd = { ...claims, role: 5, permissions: { read: true } };
    expect(await callerOf(bearer(odd), { secret, roles: { claim: 'roles' } })).toEqual({ did: claims.sub });
  });
});

it('the name of a caller is their preferred_username where there is no username', async () => {
  expect(await callerOf(bearer({ ...claims, preferred_username: 'ana' }))).toMatchObject({ username: 'ana' });
  expect(await callerOf(bearer({ ...claims, username: 'a', preferred_username: 'b' }))).toMatchObject({
    username: 'a',
  });
  expect(await callerOf(bearer({ ...claims, preferred_username: 5 }))).not.toHaveProperty('username');
});

it('a rule without a claim is refused at the start', () => {
  expect(() => authenticator({ secret, roles: { claim: '' } })).toThrow('auth.roles.claim');
});
