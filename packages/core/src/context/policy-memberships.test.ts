import { MemoryStore } from '../memory/store/memory-store.js';
import type { PolicyUser, PolicyView } from '@blockwork/core/block';
import type { Membership, PolicyGroup } from '@blockwork/core/records';
import { SequentialIds, SimulatedClock } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { policyUser } from '../access/index.js';
import { switchGroup } from './group-switch.js';
import { membershipsOf, PolicyMembershipsWriter } from './policy-memberships.js';
import { UnitOfWork } from '../transactions/index.js';

const policy: PolicyView = {
  id: 'policy',
  name: 'Policy',
  owner: 'did:owner',
  status: 'PUBLISH',
  roles: ['Installer', 'Verifier'],
  groups: [],
  topics: [],
  tokenTemplates: [],
  policyTag: 'Trial',
  messageId: '1.000000001',
  blocks: [],
  blockByTag: () => undefined,
};
const everybody: PolicyGroup = {
  name: 'Installer',
  creator: 'Installer',
  groupRelationshipType: 'Multiple',
  groupAccessType: 'Global',
};

/** One unit of work over an empty store, and the memberships in it as each user sees them. */
async function registry(store = new MemoryStore()) {
  const unit = await UnitOfWork.begin(store, []);
  const ports = { clock: new SimulatedClock(), ids: new SequentialIds() };
  return {
    unit,
    of: async (did: string): Promise<PolicyMembershipsWriter> => {
      const user = policyUser({ did }, policy.owner, await membershipsOf(unit, policy.id, did));
      return new PolicyMembershipsWriter(unit, policy, user, ports);
    },
  };
}

const facts = (user: PolicyUser) => [user.role, user.group];

describe('memberships of a policy', () => {
  it('are listed in the order in which they were taken, to their holder only', async () => {
    const { of } = await registry();
    await (await of('ann')).takeRole('Verifier');
    await (await of('bob')).takeRole('Installer');
    await (await of('ann')).takeRole('Installer');
    expect((await (await of('ann')).mine()).map(({ role, active }) => [role, active])).toEqual([
      ['Verifier', true],
      ['Installer', false],
    ]);
  });

  it('tell whoever takes one who they are in it, also while it is not active', async () => {
    const { of } = await registry();
    const first = await (await of('ann')).takeRole('Verifier');
    const second = await (await of('ann')).takeRole('Installer');
    const [verifier, installer] = (await (await of('ann')).mine()) as [Membership, Membership];
    expect([facts(first), facts(second)]).toEqual([
      ['Verifier', verifier.uuid],
      ['Installer', installer.uuid],
    ]);
    expect(second.key).toBe(`${installer.uuid}:ann`);
  });

  it('are refused for a role that the user holds already, however they came by it', async () => {
    const { of } = await registry();
    await (await of('ann')).enterGroup({ ...everybody, name: 'Everybody' });
    await expect((await of('ann')).takeRole('Installer')).rejects.toMatchObject({
      code: 'ROLE_TAKEN',
      facts: { policyId: 'policy', role: 'Installer' },
    });
    await (await of('ann')).takeRole('Verifier');
  });

  it('of a shared group count all who entered it, and the policy owner owns it', async () => {
    const { of } = await registry();
    const { group } = await (await of('ann')).enterGroup(everybody);
    await (await of('bob')).enterGroup(everybody);
    const members = await (await of('cy')).inGroup(group ?? '');
    expect(members.map(({ did, owner }) => [did, owner])).toEqual([
      ['ann', 'did:owner'],
      ['bob', 'did:owner'],
    ]);
  });

  it('of a shared group never lead into the private group of somebody with a role of the same name', async () => {
    const { of } = await registry();
    const own = await (await of('ann')).takeRole('Installer');
    const shared = await (await of('bob')).enterGroup(everybody);
    expect(shared.group).not.toBe(own.group);
    expect(await (await of('bob')).inGroup(own.group ?? '')).toHaveLength(1);
  });

  it('default to a private group of one where the template says nothing', async () => {
    const { of } = await registry();
    await (await of('ann')).enterGroup({ name: 'Plain', creator: 'Installer' });
    expect(await (await of('ann')).mine()).toMatchObject([
      { groupRelationshipType: 'Single', groupAccessType: 'Private', owner: 'ann', groupLabel: 'Plain' },
    ]);
  });

  it('have one active at a time after a switch', async () => {
    const { unit, of } = await registry();
    await (await of('ann')).takeRole('Verifier');
    const { group } = await (await of('ann')).takeRole('Installer');
    await switchGroup(unit, policy.id, 'ann', group);
    expect((await (await of('ann')).mine()).map(({ active }) => active)).toEqual([false, true]);
    await switchGroup(unit, policy.id, 'ann', null);
    expect((await (await of('ann')).mine()).map(({ active }) => active)).toEqual([false, false]);
    await expect(switchGroup(unit, policy.id, 'bob', group)).rejects.toMatchObject({ code: 'MEMBERSHIP_UNKNOWN' });
  });

  it('are not written again by a switch to the one that is active', async () => {
    const store = new MemoryStore();
    const { unit, of } = await registry(store);
    const { group } = await (await of('ann')).takeRole('Verifier');
    await store.commit(unit.changeSet()!);
    const again = await registry(store);
    await switchGroup(again.unit, policy.id, 'ann', group);
    expect(again.unit.changeSet()).toBeNull();
  });
});
