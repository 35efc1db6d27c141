import type { Caller } from '../access/caller.js';
import { defineBlock, policyRolesBlock, type BlockType, type PolicyUser } from '@blockwork/core/block';
import type { Membership, PolicyGroup } from '@blockwork/core/records';
import { blockBench, type BenchSetup } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';

const groups: PolicyGroup[] = [
  { name: 'Alone', creator: 'Installer', groupRelationshipType: 'Single', groupAccessType: 'Private' },
  { name: 'Open alone', creator: 'Verifier', groupRelationshipType: 'Single', groupAccessType: 'Global' },
  { name: 'Team', creator: 'Installer', groupRelationshipType: 'Multiple', groupAccessType: 'Private' },
  { name: 'Everybody', creator: 'Verifier', groupRelationshipType: 'Multiple', groupAccessType: 'Global' },
  { name: 'Not offered', creator: 'Installer', groupRelationshipType: 'Single', groupAccessType: 'Private' },
];
const offered = { roles: ['Installer', 'Verifier'], groups: ['Alone', 'Open alone', 'Team', 'Everybody'] };

/** Writes down whom an event names. */
const guest = (seen: { output: string; user: PolicyUser }[]): BlockType =>
  defineBlock({
    type: 'guest',
    title: 'Guest',
    description: 'Writes down who came.',
    kind: 'server',
    on: {
      RunEvent(_ctx, { output, user }) {
        seen.push({ output, user });
      },
    },
  });

/** The block as real people meet it: their memberships are what they took here, and nothing else. */
function desk(setup: BenchSetup = {}) {
  const seen: { output: string; user: PolicyUser }[] = [];
  const bench = blockBench(policyRolesBlock, {
    roles: ['Installer', 'Verifier', 'Auditor'],
    groups,
    parent: {
      blockType: 'interfaceContainerBlock',
      tag: 'around',
      events: ['CreateGroup', 'JoinGroup'].map((output) => ({
        source: 'block',
        output,
        target: 'guest',
        input: 'RunEvent',
        actor: '',
      })),
      children: [{ blockType: 'guest', tag: 'guest', stopPropagation: true }],
    },
    ...setup,
    options: { ...offered, ...setup.options },
    blocks: [guest(seen)],
  });
  const person = (name: string) => {
    const caller: Caller = { did: `did:test:${name}`, username: name, role: 'USER' };
    return {
      take: async (data: unknown) => {
        const { engine, policyId } = await bench.open();
        return engine.sendToBlock(caller, policyId, { tag: 'block' }, data);
      },
      seenAs: async () => {
        const { engine, policyId } = await bench.open();
        const none = { userRole: 'No role', userRoles: ['No role'], userGroup: undefined, userGroups: [] };
        // A draft is seen by its members only.
        const {
          userRole,
          userRoles,
          userGroup,
          userGroups = [],
        } = await engine.getPolicy(caller, policyId).catch(() => none);
        return { userRole, userRoles, userGroup, userGroups };
      },
      group: async (at: number) => {
        const { engine, policyId } = await bench.open();
        return (await engine.listGroups(caller, policyId))[at]?.uuid ?? '';
      },
      switchTo: async (uuid: string | null) => {
        const { engine, policyId } = await bench.open();
        return engine.switchGroup(caller, policyId, uuid);
      },
    };
  };
  return { bench, seen, ann: person('ann'), bob: person('bob') };
}

describe('policyRolesBlock', () => {
  it('shows what it offers, with the keys of the reference', async () => {
    const { bench } = desk({ options: { uiMetaData: { title: 'Who are you?' } } });
    expect(await bench.as('NO_ROLE').read()).toEqual({
      id: expect.any(String),
      blockType: 'policyRolesBlock',
      actionType: 'local',
      readonly: false,
      roles: ['Installer', 'Verifier'],
      groups: ['Alone', 'Open alone', 'Team', 'Everybody'],
      groupMap: {
        Alone: { groupAccessType: 'Private', groupRelationshipType: 'Single' },
        'Open alone': { groupAccessType: 'Global', groupRelationshipType: 'Single' },
        Team: { groupAccessType: 'Private', groupRelationshipType: 'Multiple' },
        Everybody: { groupAccessType: 'Global', groupRelationshipType: 'Multiple' },
      },
      isMultipleGroups: true,
      uiMetaData: { title: 'Who are you?' },
    });
  });

  it('says so where the policy has no groups', async () => {
    const bench = blockBench(policyRolesBlock, { roles: ['Installer'], options: { roles: ['Installer'] } });
    expect(await bench.as('NO_ROLE').read()).toMatchObject({ groups: [], groupMap: {}, isMultipleGroups: false });
  });

  it('gives a role directly, in a group of one that is named after it', async () => {
    const { ann, bob } = desk();
    expect(await ann.take({ role: 'Installer' })).toBe(true);
    const { userRole, userRoles, userGroup, userGroups } = await ann.seenAs();
    expect({ userRole, userRoles }).toEqual({ userRole: 'Installer', userRoles: ['Installer'] });
    expect(userGroup).toMatchObject({
      role: 'Installer',
      groupName: 'Installer',
      groupLabel: 'Installer',
      active: true,
    });
    expect(userGroups).toEqual([userGroup]);
    expect(await bob.seenAs()).toMatchObject({ userRole: 'No role', userGroups: [] });
  });

  it('gives two people who take one role groups of their own', async () => {
    const { ann, bob } = desk();
    await ann.take({ role: 'Installer' });
    await bob.take({ role: 'Installer' });
    expect(await ann.group(0)).not.toBe(await bob.group(0));
  });

  it.each([
    ['Alone', 'Installer', false],
    ['Open alone', 'Verifier', false],
    ['Team', 'Installer', false],
    ['Everybody', 'Verifier', true],
  ])(
    'the group "%s" brings the role of its creator, %s; one group for all who enter: %s',
    async (group, role, shared) => {
      const { ann, bob } = desk();
      expect(await ann.take({ group })).toBe(true);
      expect(await bob.take({ group })).toBe(true);
      expect(await ann.seenAs()).toMatchObject({ userRole: role, userGroup: { groupName: group, role } });
      expect(await bob.seenAs()).toMatchObject({ userRole: role });
      expect((await ann.group(0)) === (await bob.group(0))).toBe(shared);
    },
  );

  it.each([
    ['Team', 'Roof crew', 'Roof crew'],
    ['Team', '  Roof crew ', 'Roof crew'],
    ['Team', '', 'Team'],
    ['Team', null, 'Team'],
    ['Alone', 'My own', 'My own'],
    ['Everybody', 'Mine', 'Everybody'],
  ])('a group "%s" that is entered with the label %j is labelled "%s"', async (group, label, shown) => {
    const { ann } = desk();
    await ann.take({ group, label });
    expect(await ann.seenAs()).toMatchObject({ userGroup: { groupName: group, groupLabel: shown } });
  });

  it('lets one person found several groups of a template under different labels, each once', async () => {
    const { ann } = desk();
    await ann.take({ group: 'Team', label: 'North' });
    await ann.take({ group: 'Team', label: 'South' });
    await expect(ann.take({ group: 'Team', label: 'North' })).rejects.toMatchObject({ code: 'ROLE_TAKEN' });
    expect((await ann.seenAs()).userGroups).toMatchObject([{ groupLabel: 'North' }, { groupLabel: 'South' }]);
  });

  it.each([
    { role: 'Installer' },
    { group: 'Alone' },
    { group: 'Open alone' },
    { group: 'Team' },
    { group: 'Everybody' },
  ])('%j is taken once, also where the block stays open', async (choice) => {
    const { ann } = desk();
    await ann.take(choice);
    await expect(ann.take(choice)).rejects.toMatchObject({ code: 'ROLE_TAKEN', status: 409 });
    expect((await ann.seenAs()).userGroups).toHaveLength(1);
  });

  it('closes behind whoever took a role, where it is for people without one', async () => {
    const { ann } = desk({ options: { permissions: ['NO_ROLE'] } });
    await ann.take({ role: 'Installer' });
    await expect(ann.take({ role: 'Verifier' })).rejects.toMatchObject({ code: 'BLOCK_FORBIDDEN', status: 403 });
    expect(await ann.seenAs()).toMatchObject({ userRoles: ['Installer'] });
  });

  it('gives a role once to whoever asks for it twice at the same moment', async () => {
    const { ann, bob } = desk();
    const both = await Promise.allSettled([ann.take({ role: 'Installer' }), ann.take({ role: 'Installer' })]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect((await ann.seenAs()).userGroups).toHaveLength(1);
    await Promise.all([ann.take({ group: 'Everybody' }), bob.take({ group: 'Everybody' })]);
    expect(await bob.group(0)).toBe(await ann.group(1));
  });

  it.each([
    [{ role: 'Auditor' }, 'ROLE_UNKNOWN', 'a role of the policy that it does not offer'],
    [{ group: 'Not offered' }, 'GROUP_UNKNOWN', 'a group of the policy that it does not offer'],
    [{ role: 'Boss' }, 'ROLE_UNKNOWN', 'a role that the policy does not have'],
    [{ group: 'Nowhere' }, 'GROUP_UNKNOWN', 'a group that the policy does not have'],
    [{ role: 'OWNER' }, 'ROLE_UNKNOWN', 'the name of a special permission'],
    [{ invitation: 'eyJpbnZpdGF0aW9uIjoiMSJ9' }, 'INVITATION_UNKNOWN', 'an invitation that nobody made'],
    [{}, 'INPUT_INVALID', 'a choice of nothing'],
    [{ role: '' }, 'INPUT_INVALID', 'an empty role'],
    [{ role: 7 }, 'INPUT_INVALID', 'a role that is no text'],
    [null, 'INPUT_INVALID', 'no choice at all'],
  ])('refuses %j with %s: %s', async (choice, code, _) => {
    const { ann, seen } = desk({ options: { roles: ['Installer'], groups: ['Alone'] } });
    await expect(ann.take(choice)).rejects.toMatchObject({ code, status: 422 });
    expect(await ann.seenAs()).toMatchObject({ userRole: 'No role', userGroups: [] });
    expect(seen).toEqual([]);
  });

  it.each([
    [{ role: 'Boss' }, 'the role "Boss" is offered here, but the policy does not declare it'],
    [{ group: 'Nowhere' }, 'the group "Nowhere" is offered here, but the policy does not declare it'],
  ])('says of %j that the policy lacks it', async (choice, reason) => {
    const { ann, seen } = desk({ options: { roles: ['Boss'], groups: ['Nowhere'] } });
    const message = expect.stringContaining(reason) as string;
    await expect(ann.take(choice)).rejects.toMatchObject({ code: 'BLOCK_MISCONFIGURED', status: 409, message });
    expect(await ann.seenAs()).toMatchObject({ userRole: 'No role', userGroups: [] });
    expect(seen).toEqual([]);
  });

  it('names what it offers when it refuses', async () => {
    const { ann } = desk({ options: { roles: ['Installer', 'Boss'], groups: ['Alone', 'Nowhere'] } });
    await expect(ann.take({ role: 'Auditor' })).rejects.toThrow(
      'The role "Auditor" does not exist at block "block". It offers: Alone, Installer.',
    );
  });

  it('gives nobody a group whose template names no role', async () => {
    const { ann } = desk({ groups: [{ name: 'Alone' }] });
    await expect(ann.take({ group: 'Alone' })).rejects.toMatchObject({ code: 'BLOCK_MISCONFIGURED' });
    expect((await ann.seenAs()).userGroups).toEqual([]);
  });

  it('says CreateGroup of whoever founds a group and JoinGroup of whoever enters one, in their new role', async () => {
    const { bench, seen, ann, bob } = desk();
    await ann.take({ group: 'Everybody' });
    await bob.take({ group: 'Everybody' });
    expect(bench.emitted).toEqual([
      { output: 'CreateGroup', data: null, did: 'did:test:ann' },
      { output: 'JoinGroup', data: null, did: 'did:test:bob' },
    ]);
    const group = await ann.group(0);
    expect(seen.map(({ user }) => user)).toEqual([
      { did: 'did:test:ann', username: 'ann', role: 'Verifier', group, isOwner: false, key: `${group}:did:test:ann` },
      { did: 'did:test:bob', username: 'bob', role: 'Verifier', group, isOwner: false, key: `${group}:did:test:bob` },
    ]);
  });

  it('names the new role in the event also where an earlier one stays active', async () => {
    const { seen, ann, bob } = desk();
    await bob.take({ group: 'Everybody' });
    await ann.take({ role: 'Installer' });
    await ann.take({ group: 'Everybody' });
    await ann.take({ group: 'Team' });
    expect(seen.slice(1).map(({ output, user }) => [output, user.role, user.group])).toEqual([
      ['CreateGroup', 'Installer', await ann.group(0)],
      ['JoinGroup', 'Verifier', await ann.group(1)],
      ['CreateGroup', 'Installer', await ann.group(2)],
    ]);
  });

  it('leaves the first membership active; a later one waits for the user to switch', async () => {
    const { ann } = desk();
    await ann.take({ role: 'Installer' });
    await ann.take({ group: 'Everybody' });
    expect(await ann.seenAs()).toMatchObject({
      userRole: 'Installer',
      userRoles: ['Installer', 'Verifier'],
      userGroups: [
        { role: 'Installer', active: true },
        { role: 'Verifier', active: false },
      ],
    });
    expect(await ann.switchTo(await ann.group(1))).toBe(true);
    expect(await ann.seenAs()).toMatchObject({
      userRole: 'Verifier',
      userGroup: { groupName: 'Everybody', active: true },
      userGroups: [{ active: false }, { active: true }],
    });
    await ann.switchTo(null);
    expect(await ann.seenAs()).toMatchObject({
      userRole: 'No role',
      userGroups: [{ active: false }, { active: false }],
    });
    await expect(ann.switchTo('10000000-0000-4000-8000-00000000000f')).rejects.toMatchObject({
      code: 'MEMBERSHIP_UNKNOWN',
    });
  });

  it('lets the owner of the policy take a role and keep being its owner', async () => {
    const { bench } = desk();
    const { engine, policyId, owner } = await bench.open();
    await engine.sendToBlock(owner, policyId, { tag: 'block' }, { role: 'Installer' });
    expect(await engine.getPolicy(owner, policyId)).toMatchObject({
      userRole: 'Installer',
      userRoles: ['Administrator', 'Installer'],
    });
  });

  it('stores each membership whole', async () => {
    const stored: Membership[] = [];
    const reader = defineBlock({
      type: 'reader',
      title: 'Reader',
      description: 'Shows memberships.',
      kind: 'interface',
      async read(ctx) {
        stored.push(...(await ctx.memberships.mine()));
        return null;
      },
    });
    const bench = blockBench(policyRolesBlock, {
      options: offered,
      groups,
      roles: offered.roles,
      blocks: [reader],
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'around',
        children: [{ blockType: 'reader', tag: 'reader' }],
      },
    });
    const { engine, policyId, owner } = await bench.open();
    const caller: Caller = { did: 'did:test:ann', role: 'USER' };
    await engine.sendToBlock(caller, policyId, { tag: 'block' }, { group: 'Everybody' });
    await engine.readBlock(caller, policyId, { tag: 'reader' });
    expect(stored).toEqual([
      {
        id: expect.any(String),
        uuid: expect.any(String),
        policyId,
        did: 'did:test:ann',
        username: 'did:test:ann',
        messageId: expect.stringMatching(/^\d+\.\d{9}$/) as string,
        owner: owner.did,
        role: 'Verifier',
        groupName: 'Everybody',
        groupLabel: 'Everybody',
        groupRelationshipType: 'Multiple',
        groupAccessType: 'Global',
        active: true,
        createDate: '2026-01-01T00:00:00.000Z',
      },
    ]);
  });
});
