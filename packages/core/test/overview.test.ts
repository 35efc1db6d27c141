/** What a policy holds in numbers, and who may know it. */
import { createEngine, type Caller, type PolicyEngine } from '@blockwork/core';
import { block } from '@blockwork/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
const auditor: Caller = { did: 'did:example:auditor', role: 'AUDITOR' };
const user = (name: string): Caller => ({ did: `did:example:${name}`, role: 'USER' });

const schema = (name: string) => ({
  iri: `#${name}&1.0.0`,
  name,
  entity: 'VC',
  status: 'PUBLISHED',
  document: '{"type":"object"}',
});

let engine: PolicyEngine;
let policyId: string;

beforeEach(async () => {
  engine = createEngine({ drafts: 'shared' });
  const policy = {
    name: 'Farms',
    policyRoles: ['Farmer', 'Inspector', 'Baker'],
    schemas: ['Farm', 'Harvest', 'Loaf'].map(schema),
    config: block('policyRolesBlock', 'roles', { permissions: ['NO_ROLE'], roles: ['Farmer', 'Inspector', 'Baker'] }),
  };
  policyId = (await engine.importPolicy(owner, policy)).policy.id;
});
afterEach(() => engine.close());

it('counts the documents of each schema that has some, most first, and all others in the total', async () => {
  expect((await engine.overview.get(owner, policyId)).documents).toEqual({ total: 0, bySchema: [] });
  const document = (id: string, name: string) => ({ id, owner: owner.did, schema: `#${name}&1.0.0`, document: { id } });
  await engine.program.documents.add(policyId, [
    document('a', 'Farm'),
    document('b', 'Harvest'),
    document('c', 'Harvest'),
    document('d', 'Elsewhere'),
  ]);
  expect((await engine.overview.get(owner, policyId)).documents).toEqual({
    total: 4,
    bySchema: [
      { id: '#Harvest&1.0.0', name: 'Harvest', count: 2 },
      { id: '#Farm&1.0.0', name: 'Farm', count: 1 },
    ],
  });
});

it('counts people in the order of the roles, also those that nobody has', async () => {
  for (const [name, role] of [
    ['ann', 'Farmer'],
    ['bob', 'Farmer'],
    ['eve', 'Baker'],
  ] as const)
    await engine.sendToBlock(user(name), policyId, { tag: 'roles' }, { role });
  expect((await engine.overview.get(owner, policyId)).people).toEqual({
    total: 3,
    byRole: [
      { role: 'Farmer', count: 2 },
      { role: 'Inspector', count: 0 },
      { role: 'Baker', count: 1 },
    ],
  });
});

it('is for the owner of the policy, and for auditors once it is published', async () => {
  const read = (caller: Caller) => engine.overview.get(caller, policyId);
  await expect(read(other)).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
  await expect(read(user('ann'))).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await expect(read(auditor)).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
  await engine.lifecycle.publish(owner, policyId, '1.0.0');
  expect(await read(auditor)).toEqual(await read(owner));
});
