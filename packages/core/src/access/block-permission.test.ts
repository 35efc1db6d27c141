import { describe, expect, it } from 'vitest';
import { isPermitted } from './block-permission.js';
import { policyUser, type PolicyUser } from './policy-user.js';

const user = (did: string, role: string | null): PolicyUser => ({ ...policyUser({ did }, 'did:owner', []), role });

const users = {
  'the owner': user('did:owner', null),
  'the owner as Installer': user('did:owner', 'Installer'),
  'an Installer': user('did:ann', 'Installer'),
  'a Verifier': user('did:bob', 'Verifier'),
  'somebody without a role': user('did:cy', null),
};
type Who = keyof typeof users;

describe('permissions of a block', () => {
  it.each<[string[], Who[]]>([
    [['ANY_ROLE'], ['the owner', 'the owner as Installer', 'an Installer', 'a Verifier', 'somebody without a role']],
    [['OWNER'], ['the owner', 'the owner as Installer']],
    [['NO_ROLE'], ['somebody without a role']],
    [['Installer'], ['the owner as Installer', 'an Installer']],
    [
      ['OWNER', 'Verifier'],
      ['the owner', 'the owner as Installer', 'a Verifier'],
    ],
    [
      ['NO_ROLE', 'Installer'],
      ['the owner as Installer', 'an Installer', 'somebody without a role'],
    ],
    [['installer'], []],
    [[''], []],
    [[], []],
  ])('%j lets in: %j', (permissions, admitted) => {
    const names = Object.keys(users) as Who[];
    expect(names.filter((name) => isPermitted(permissions, users[name]))).toEqual(admitted);
  });
});
