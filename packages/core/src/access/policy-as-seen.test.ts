import { describe, expect, it } from 'vitest';
import { policyRecord, type Membership, type StoredPolicy } from '../records/index.js';
import { policyAsSeen } from './policy-as-seen.js';
import { policyUser } from './policy-user.js';

const stored: StoredPolicy = {
  id: '66f0c0ffee0123456789abcd',
  uuid: '5b0c8a36-7f0b-4d5e-9a51-3f0d3a6f1c2b',
  name: 'Renewable energy',
  description: '',
  topicDescription: '',
  policyTag: 'Tag_1',
  status: 'DRAFT',
  creator: 'did:owner',
  owner: 'did:owner',
  topicId: '0.0.1',
  messageId: '1.2',
  codeVersion: '1.5.1',
  createDate: '2026-01-01T00:00:00.000Z',
  version: '1.0.0',
  policyRoles: ['Installer', 'Verifier'],
  categories: [],
  projectSchema: '00000000-0000-0000-0000-000000000000',
  fromTheFuture: { kept: true },
};

const uuids = { Installer: '10000000-0000-4000-8000-000000000001', Verifier: '10000000-0000-4000-8000-000000000002' };
const membership = (role: keyof typeof uuids, active: boolean, did: string): Membership => ({
  id: `${role}/${did}`,
  uuid: uuids[role],
  policyId: stored.id,
  did,
  owner: did,
  role,
  groupName: role,
  groupLabel: `${role} label`,
  groupRelationshipType: 'Single',
  groupAccessType: 'Private',
  active,
  createDate: '2026-01-01T00:00:00.000Z',
});
const group = (role: keyof typeof uuids, active: boolean) => ({
  uuid: uuids[role],
  role,
  groupName: role,
  groupLabel: `${role} label`,
  active,
});

function seenBy(did: string, roles: readonly (readonly [keyof typeof uuids, boolean])[] = []) {
  const memberships = roles.map(([role, active]) => membership(role, active, did));
  return policyAsSeen(stored, policyUser({ did }, stored.owner, memberships), memberships);
}

describe('a policy as a caller sees it', () => {
  it('is the stored record with their own role and groups, and fits the interface', () => {
    const shownPolicy = seenBy('did:ann', [['Installer', true]]);
    expect(shownPolicy).toEqual({
      ...stored,
      userRole: 'Installer',
      userRoles: ['Installer'],
      userGroup: group('Installer', true),
      userGroups: [group('Installer', true)],
    });
    expect(policyRecord.parse(shownPolicy)).toEqual(shownPolicy);
  });

  it('says "No role" to somebody without one, and names no group', () => {
    const shownPolicy = seenBy('did:ann');
    expect(shownPolicy).toMatchObject({ userRole: 'No role', userRoles: ['No role'], userGroups: [] });
    expect(shownPolicy).not.toHaveProperty('userGroup');
  });

  it('says "Administrator" to the owner', () => {
    expect(seenBy('did:owner')).toMatchObject({
      userRole: 'Administrator',
      userRoles: ['Administrator'],
      userGroups: [],
    });
  });

  it('says to an owner with a role what they act as, and that they are both', () => {
    expect(seenBy('did:owner', [['Verifier', true]])).toMatchObject({
      userRole: 'Verifier',
      userRoles: ['Administrator', 'Verifier'],
      userGroup: group('Verifier', true),
    });
  });

  it('shows of several memberships the active one as the user, and all of them in their order', () => {
    expect(
      seenBy('did:ann', [
        ['Installer', false],
        ['Verifier', true],
      ]),
    ).toMatchObject({
      userRole: 'Verifier',
      userRoles: ['Installer', 'Verifier'],
      userGroup: group('Verifier', true),
      userGroups: [group('Installer', false), group('Verifier', true)],
    });
  });

  it('names a role once that is held in two groups', () => {
    expect(
      seenBy('did:ann', [
        ['Installer', true],
        ['Installer', false],
      ])['userRoles'],
    ).toEqual(['Installer']);
  });

  it('shows no group as the user where none is active', () => {
    const shownPolicy = seenBy('did:ann', [['Installer', false]]);
    expect(shownPolicy).toMatchObject({
      userRole: 'No role',
      userRoles: ['Installer'],
      userGroups: [group('Installer', false)],
    });
    expect(shownPolicy).not.toHaveProperty('userGroup');
  });

  it('leaves the stored record as it is', () => {
    seenBy('did:ann', [['Installer', true]]);
    expect(stored).not.toHaveProperty('userRole');
  });
});
