import { describe, expect, it } from 'vitest';
import type { Membership } from '../records/index.js';
import { policyUser, policyUserInGroup } from './policy-user.js';

const membership = (role: string, uuid: string, active: boolean): Membership => ({
  id: `${uuid}/did:ann`,
  uuid,
  policyId: 'policy',
  did: 'did:ann',
  username: 'ann',
  owner: 'did:ann',
  role,
  groupName: role,
  groupLabel: role,
  groupRelationshipType: 'Single',
  groupAccessType: 'Private',
  active,
  createDate: '2026-01-01T00:00:00.000Z',
});
const both = [membership('Installer', 'g1', false), membership('Verifier', 'g2', true)];

describe('a user in a policy', () => {
  it('has the role and the group of the active membership, and a state of their own in it', () => {
    expect(policyUser({ did: 'did:ann' }, 'did:owner', both)).toEqual({
      did: 'did:ann',
      username: 'ann',
      role: 'Verifier',
      group: 'g2',
      isOwner: false,
      key: 'g2:did:ann',
    });
  });

  it('without an active membership has neither', () => {
    const inactive = both.map((each) => ({ ...each, active: false }));
    for (const memberships of [[], inactive]) {
      expect(policyUser({ did: 'did:ann' }, 'did:owner', memberships)).toEqual({
        did: 'did:ann',
        username: 'did:ann',
        role: null,
        group: null,
        isOwner: false,
        key: 'did:ann',
      });
    }
  });

  it('never has the role of their token', () => {
    const caller = { did: 'did:ann', role: 'Installer', username: 'Ann of the token' };
    expect(policyUser(caller, 'did:owner', [])).toMatchObject({ role: null, username: 'Ann of the token' });
  });

  it('is the owner where the identities are the same, with or without a role', () => {
    expect(policyUser({ did: 'did:ann' }, 'did:ann', both)).toMatchObject({ isOwner: true, role: 'Verifier' });
    expect(policyUser({ did: 'did:ann' }, 'did:ann', [])).toMatchObject({ isOwner: true, role: null });
  });

  it('can be looked at in one group, active or not', () => {
    expect(policyUserInGroup('did:ann', 'did:owner', both, 'g1')).toMatchObject({
      role: 'Installer',
      group: 'g1',
      key: 'g1:did:ann',
    });
    expect(policyUserInGroup('did:ann', 'did:owner', both, null)).toMatchObject({
      did: 'did:ann',
      role: 'Verifier',
      group: 'g2',
    });
    expect(policyUserInGroup('did:ann', 'did:owner', both, 'g3')).toMatchObject({
      role: null,
      group: null,
      key: 'did:ann',
    });
  });
});
