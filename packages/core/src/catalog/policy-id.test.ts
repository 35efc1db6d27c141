import { SequentialIds } from '@blockwork/testing';
import { expect, test } from 'vitest';
import { createEngine } from '../engine/create-engine.js';
import { newPolicyId } from './policy-importer.js';

const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const policy = {
  name: 'Ids',
  config: { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] },
};

test('a new policy has an id of 24 hexadecimal characters', async () => {
  const engine = createEngine();
  const first = await engine.importPolicy(owner, policy);
  const second = await engine.importPolicy(owner, policy);
  expect(first.policy.id).toMatch(/^[0-9a-f]{24}$/);
  expect(second.policy.id).toMatch(/^[0-9a-f]{24}$/);
  expect(second.policy.id).not.toBe(first.policy.id);
  await engine.close();
});

test('a policy that brings an id keeps it, whatever its form', async () => {
  const engine = createEngine();
  const id = '0f0c3c1e-2b1d-4f65-9a0e-6f6a3f0d6c11';
  expect((await engine.importPolicy(owner, { ...policy, id })).policy.id).toBe(id);
  expect(await engine.getPolicy(owner, id)).toMatchObject({ id });
  await engine.close();
});

test('ids that count up stay apart', () => {
  const ids = new SequentialIds();
  expect([newPolicyId(ids), newPolicyId(ids)]).toEqual(['000040008000000000000001', '000040008000000000000002']);
});

test('the ids of a source that writes capital letters are written in small ones', () => {
  expect(newPolicyId({ uuid: () => 'AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE' })).toBe('bbbb4ccc8dddeeeeeeeeeeee');
});
