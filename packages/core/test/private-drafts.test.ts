/** Drafts of others: whoever does not see one is told nothing about it, and may use the blocks that are open to them. */
import { createEngine, type Caller, type PolicyEngine } from '@blockwork/core';
import { block } from '@blockwork/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
const member: Caller = { did: 'did:example:member', role: 'USER' };
const stranger: Caller = { did: 'did:example:stranger', role: 'USER' };
const auditor: Caller = { did: 'did:example:auditor', role: 'AUDITOR' };

const file = {
  name: 'Draft',
  policyTag: 'draft',
  policyRoles: ['Member'],
  policyGroups: [
    { name: 'Member', creator: 'Member', groupAccessType: 'Global', groupRelationshipType: 'Multiple', members: [] },
  ],
  policyNavigation: [{ role: 'NO_ROLE', steps: [{ block: 'roles', level: 1, name: 'Start' }] }],
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('policyRolesBlock', 'roles', { roles: ['Member'], permissions: ['NO_ROLE'] }),
      block('informationBlock', 'desk', { permissions: ['OWNER'] }),
      block('informationBlock', 'news', { permissions: ['Member'] }),
    ],
  }),
};

let engine: PolicyEngine;
let policyId: string;
const open = async (drafts: 'private' | 'shared'): Promise<void> => {
  engine = createEngine({ drafts });
  policyId = (await engine.importPolicy(owner, file)).policy.id;
  await engine.sendToBlock(member, policyId, { tag: 'roles' }, { role: 'Member' });
};
const firstEvent = async (caller: Caller): Promise<unknown> => {
  const events = engine.events(caller, { policyId });
  try {
    return (await events.next()).value;
  } finally {
    await events.return(undefined);
  }
};
const isUnknown = { code: 'POLICY_UNKNOWN', status: 404 };

/** What users ask of a policy as a whole. */
const described = (caller: Caller): (() => Promise<unknown>)[] => [
  () => engine.getInterface(caller, policyId),
  () => engine.listGroups(caller, policyId),
  () => engine.switchGroup(caller, policyId, null),
  () => engine.getNavigation(caller, policyId),
  () => engine.explanations.block(caller, policyId, { tag: 'root' }),
  () => firstEvent(caller),
];

beforeEach(() => open('private'));
afterEach(() => engine.close());

describe('a draft', () => {
  it('is described to its owner and members, and unknown to others', async () => {
    for (const caller of [owner, member]) {
      for (const each of described(caller)) expect(await each()).toBeDefined();
    }
    for (const caller of [stranger, other]) {
      for (const each of described(caller)) await expect(each()).rejects.toMatchObject(isUnknown);
    }
  });

  it('is described to everybody where drafts are shared', async () => {
    await engine.close();
    await open('shared');
    for (const each of described(stranger)) expect(await each()).toBeDefined();
    await expect(engine.exportPolicy(other, policyId)).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
  });

  it('takes data through blocks that are open to a stranger, and does not describe its other blocks', async () => {
    for (const tag of ['desk', 'news', 'nowhere']) {
      await expect(engine.findBlock(stranger, policyId, tag), tag).rejects.toMatchObject(isUnknown);
      await expect(engine.getAvailability(stranger, policyId, { tag }), tag).rejects.toMatchObject(isUnknown);
    }
    expect(await engine.getAvailability(stranger, policyId, { tag: 'roles' })).toMatchObject({ outcome: 'allowed' });
    const { uuid } = await engine.findBlock(stranger, policyId, 'roles');
    expect(await engine.readBlock(stranger, policyId, { uuid })).toMatchObject({ roles: ['Member'] });
    await engine.sendToBlock(stranger, policyId, { uuid }, { role: 'Member' });
    await expect(engine.readBlock(stranger, policyId, { tag: 'desk' })).rejects.toMatchObject({
      code: 'BLOCK_FORBIDDEN',
    });
    expect(await engine.getNavigation(stranger, policyId)).toEqual([]);
  });

  it('answers what only owners may do to those who see it with a reason, and to others as if it did not exist', async () => {
    const ownersOnly = (caller: Caller): (() => Promise<unknown>)[] => [
      () => engine.exportPolicy(caller, policyId),
      () => engine.lifecycle.replace(caller, policyId, file),
      () => engine.lifecycle.delete(caller, policyId),
      () => engine.lifecycle.dryRun(caller, policyId),
      () => engine.lifecycle.publish(caller, policyId, '1.0.0'),
      () => engine.lifecycle.nextVersion(caller, policyId),
      () => engine.lifecycle.changes(caller, policyId, policyId),
      () => engine.journal.list(caller, policyId),
      () => engine.trials.get(caller, policyId),
      () => engine.timers.list(caller, policyId),
      () => engine.pendingWork.list(caller, policyId),
      () => engine.webhooks.list(caller, policyId),
      () => engine.documents.list(caller, policyId),
      () => engine.tokens.effects(caller, policyId),
    ];
    for (const each of ownersOnly(other)) await expect(each()).rejects.toMatchObject(isUnknown);
    await expect(engine.documents.list(auditor, policyId)).rejects.toMatchObject(isUnknown);
    await expect(engine.tokens.effects(auditor, policyId)).rejects.toMatchObject(isUnknown);
    const colleague: Caller = { ...member, role: 'STANDARD_REGISTRY' };
    for (const each of ownersOnly(colleague)) await expect(each()).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
  });
});

it('a published policy answers everybody what is not theirs with a reason', async () => {
  await engine.lifecycle.publish(owner, policyId, '1.0.0');
  for (const each of described(stranger)) expect(await each()).toBeDefined();
  await expect(engine.readBlock(stranger, policyId, { tag: 'desk' })).rejects.toMatchObject({
    code: 'BLOCK_FORBIDDEN',
  });
  await expect(engine.exportPolicy(other, policyId)).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
});
