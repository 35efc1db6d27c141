import type { Json, PolicyGroup } from '@blockwork/core/block';
import { blockBench, type BlockBench, type BlockFragment } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { groupManagerBlock } from './group-manager.js';

const organization: PolicyGroup = {
  name: 'Organization',
  creator: 'Employer',
  members: ['Employee'],
  groupRelationshipType: 'Multiple',
  groupAccessType: 'Private',
};
const approvers: PolicyGroup = { ...organization, name: 'Approvers', groupAccessType: 'Global' };

const choose: BlockFragment = {
  blockType: 'policyRolesBlock',
  tag: 'choose',
  roles: [],
  groups: ['Organization', 'Approvers'],
};

/** Users are named by DID: what they hold in the policy is what they took there. */
const person = (did: string) => ({ did: `did:bench:${did}` });

function bench(options: Readonly<Record<string, unknown>> = {}): BlockBench {
  const parent: BlockFragment = { blockType: 'interfaceContainerBlock', tag: 'page', children: [choose] };
  return blockBench(groupManagerBlock, {
    options,
    parent,
    groups: [organization, approvers],
    roles: ['Employer', 'Employee'],
  });
}

interface Shown {
  readonly id: string;
  readonly data: readonly { readonly did: string }[];
}

/** The bench takes away what a user took by themselves, so the engine is asked directly. */
async function open(at: BlockBench) {
  const { engine, policyId } = await at.open();
  const caller = (name: string) => ({ ...person(name), role: 'USER' });
  const send = (name: string, tag: string, data: unknown): Promise<Json> =>
    engine.sendToBlock(caller(name), policyId, { tag }, data);
  const groups = async (name: string): Promise<readonly Shown[]> =>
    ((await engine.readBlock(caller(name), policyId, { tag: 'block' }, {})) as unknown as { data: Shown[] }).data;
  const founded = async (name: string, group = 'Organization', label = 'ACME'): Promise<string> => {
    await send(name, 'choose', { group, label });
    return (await groups(name))[0]?.id ?? '';
  };
  const invitation = async (name: string, group: string, role = 'Employee'): Promise<string> =>
    ((await send(name, 'block', { action: 'invite', group, role })) as { invitation: string }).invitation;
  return { send, groups, founded, invitation };
}

describe('groupManagerBlock', () => {
  it("shows each of the user's groups with its members", async () => {
    const { send, groups, founded, invitation } = await open(bench({ canInvite: 'owner' }));
    const group = await founded('boss');
    await send('worker', 'choose', { invitation: await invitation('boss', group) });
    const members = (current: string) => [
      expect.objectContaining({
        did: 'did:bench:boss',
        role: 'Employer',
        type: 'Owner',
        current: current === 'boss',
      }) as Json,
      expect.objectContaining({
        did: 'did:bench:worker',
        role: 'Employee',
        type: 'Member',
        current: current === 'worker',
      }) as Json,
    ];
    const shown = {
      id: group,
      groupName: 'Organization',
      groupLabel: 'ACME',
      groupRelationshipType: 'Multiple',
      groupAccessType: 'Private',
      roles: ['Employee'],
    };
    expect(await groups('boss')).toEqual([
      { ...shown, role: 'Employer', type: 'Owner', canInvite: true, canDelete: true, data: members('boss') },
    ]);
    expect(await groups('worker')).toEqual([
      { ...shown, role: 'Employee', type: 'Member', canInvite: false, canDelete: false, data: members('worker') },
    ]);
    expect(await groups('stranger')).toEqual([]);
  });

  it('hands out an invitation that says what it is for and works once', async () => {
    const { send, groups, founded, invitation } = await open(bench());
    const token = await invitation('boss', await founded('boss'));
    expect(JSON.parse(Buffer.from(token, 'base64url').toString())).toEqual({
      invitation: expect.any(String) as string,
      role: 'Employee',
      name: 'Organization',
      label: 'ACME',
      policyName: 'Bench of groupManagerBlock',
    });
    await send('worker', 'choose', { invitation: token });
    expect((await groups('worker'))[0]).toMatchObject({ role: 'Employee', groupLabel: 'ACME' });
    await expect(send('other', 'choose', { invitation: token })).rejects.toMatchObject({ code: 'INVITATION_UNKNOWN' });
  });

  it('invites only by those who may, into groups that are by invitation, in roles that the group has', async () => {
    const { send, founded, invitation } = await open(bench());
    const group = await founded('boss');
    await send('worker', 'choose', { invitation: await invitation('boss', group) });
    await expect(invitation('stranger', group)).rejects.toMatchObject({ code: 'MEMBERSHIP_UNKNOWN' });
    await expect(invitation('worker', group)).rejects.toThrow('Permission denied');
    await expect(invitation('boss', group, 'Employer')).rejects.toMatchObject({ code: 'ROLE_UNKNOWN' });
    await expect(invitation('boss', group, 'OWNER')).rejects.toMatchObject({ code: 'ROLE_UNKNOWN' });
    await expect(invitation('vvb', await founded('vvb', 'Approvers'))).rejects.toThrow('Invalid Group type');
  });

  it('lets every member invite where the policy says so', async () => {
    const { send, founded, invitation } = await open(bench({ canInvite: 'all', canDelete: 'all' }));
    const group = await founded('boss');
    await send('worker', 'choose', { invitation: await invitation('boss', group) });
    expect(await invitation('worker', group)).not.toBe('');
  });

  it('takes a member out, and withdraws the message that proved the membership', async () => {
    const at = bench({ canDelete: 'owner' });
    const { send, groups, founded, invitation } = await open(at);
    const group = await founded('boss');
    await send('worker', 'choose', { invitation: await invitation('boss', group) });
    await send('second', 'choose', { invitation: await invitation('boss', group) });
    const removal = { action: 'delete', group, user: 'did:bench:worker', message: 'left' };
    await expect(send('second', 'block', removal)).rejects.toThrow('Permission denied');
    await expect(send('stranger', 'block', removal)).rejects.toMatchObject({ code: 'MEMBERSHIP_UNKNOWN' });
    await expect(send('worker', 'block', { ...removal, user: 'did:bench:boss' })).rejects.toMatchObject({
      status: 422,
    });
    await expect(send('boss', 'block', { ...removal, user: 'did:bench:boss' })).rejects.toThrow(
      'members cannot remove themselves',
    );
    await expect(send('boss', 'block', { ...removal, user: 'did:bench:other' })).rejects.toMatchObject({
      code: 'MEMBERSHIP_UNKNOWN',
    });
    expect(await send('boss', 'block', removal)).toEqual({ deleted: true });
    expect(await groups('worker')).toEqual([]);
    expect((await groups('boss'))[0]?.data.map(({ did }) => did)).toEqual(['did:bench:boss', 'did:bench:second']);
    const { engine, policyId } = await at.open();
    const messages = await engine.program.ledger.listMessages(policyId);
    const proof = messages.find(
      ({ type, owner }, n) => type === 'role-document' && owner === 'did:bench:boss' && n > 0,
    );
    expect(messages.at(-1)).toMatchObject({ type: 'revoke', owner: 'did:bench:boss', relationships: [proof?.id] });
  });

  it.each([[{ action: 'nope' }], [{}], [{ action: 'invite', group: 'g' }], [null]])(
    'refuses to do %j',
    async (body) => {
      const { send } = await open(bench());
      await expect(send('boss', 'block', body)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    },
  );
});
