/** Drafts are replaced by another file and deleted, by their owner, as a whole or not at all. */
import { createEngine, MemoryStore, type Caller, type PolicyEngine } from '@blockwork/core';
import { block, documents } from '@blockwork/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:example:user', role: 'USER' };

const grid = (tag: string) =>
  block('interfaceDocumentsSourceBlock', tag, {
    children: [block('documentsSourceAddon', `${tag}_source`, { dataType: 'vc-documents' })],
  });
const file = (name: string, ...children: object[]) => ({
  name,
  policyTag: name,
  policyRoles: ['Member'],
  schemas: [{ iri: `#${name}`, name, entity: 'VC', status: 'DRAFT', document: '{}' }],
  config: block('interfaceContainerBlock', 'root', {
    permissions: ['ANY_ROLE'],
    children: [block('policyRolesBlock', 'roles', { roles: ['Member'], permissions: ['NO_ROLE'] }), ...children],
  }),
});

let store: MemoryStore;
let engine: PolicyEngine;
let policyId: string;

beforeEach(async () => {
  store = new MemoryStore();
  engine = createEngine({ store });
  policyId = (await engine.importPolicy(owner, file('First', grid('grid')))).policy.id;
  await engine.program.documents.add(policyId, documents(3));
  await engine.sendToBlock(user, policyId, { tag: 'roles' }, { role: 'Member' });
});
afterEach(() => engine.close());

const rows = async (tag: string): Promise<unknown[]> =>
  (await engine.readBlock<{ data: unknown[] }>(user, policyId, { tag })).data;
const everything = async (): Promise<unknown> => {
  const kinds = ['configuration', 'schema', 'document', 'membership', 'journal', 'block-state', 'completion'] as const;
  const records = await Promise.all(kinds.map((kind) => store.find(kind, policyId)));
  return [await store.find('policy', 'instance'), records];
};

describe('a draft that is replaced', () => {
  it('has the blocks and schemas of the new file, and keeps its identity and what was done in it', async () => {
    const before = await engine.getPolicy(owner, policyId);
    expect(await rows('grid')).toHaveLength(4);
    const { policy, findings } = await engine.lifecycle.replace(owner, policyId, file('Second', grid('list')));
    const { id, uuid, policyTag, topicId, createDate, status } = before;
    expect(policy).toMatchObject({
      id,
      uuid,
      policyTag,
      topicId,
      createDate,
      status,
      name: 'Second',
      owner: owner.did,
    });
    expect(findings).toEqual([]);
    expect(await rows('list')).toHaveLength(4);
    await expect(rows('grid')).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' });
    expect((await engine.schemas.list(owner, policyId)).map(({ name }) => name)).toEqual(['Second']);
    expect(await engine.getPolicy(user, policyId)).toMatchObject({ userRole: 'Member' });
    const { items } = await engine.journal.list(owner, policyId, { cause: 'lifecycle' });
    expect(items.map(({ cause }) => cause)).toEqual([{ type: 'lifecycle', action: 'replace', did: owner.did }]);
  });

  it('keeps its name where the new one is taken', async () => {
    await engine.importPolicy(owner, file('Taken'));
    expect((await engine.lifecycle.replace(owner, policyId, file('Taken'))).policy.name).toBe('First');
    expect((await engine.lifecycle.replace(owner, policyId, file('First'))).policy.name).toBe('First');
  });

  it.each([
    ['is none', new TextEncoder().encode('no zip'), 'POLICY_FILE_INVALID'],
    ['has a block without a type', file('Blank', { ...grid('blank'), blockType: '' }), 'POLICY_FILE_INVALID'],
  ])('is left as it is by a file that %s', async (_, source, code) => {
    const before = await everything();
    await expect(engine.lifecycle.replace(owner, policyId, source)).rejects.toMatchObject({ code });
    expect(await everything()).toEqual(before);
    expect(await rows('grid')).toHaveLength(4);
  });

  it('may have two blocks of one tag, which keeps it from running', async () => {
    const { findings } = await engine.lifecycle.replace(owner, policyId, file('Twice', grid('same'), grid('same')));
    expect(findings).toContainEqual(expect.objectContaining({ severity: 'error', code: 'TAG_REPEATED', tag: 'same' }));
    expect(await engine.lifecycle.dryRun(owner, policyId)).toMatchObject({
      isValid: false,
      policy: { status: 'DRAFT' },
    });
  });

  it('takes one of two that come at once after the other', async () => {
    const names = ['Left', 'Right'];
    await Promise.all(names.map((name) => engine.lifecycle.replace(owner, policyId, file(name, grid(name)))));
    const { name } = await engine.getPolicy(owner, policyId);
    expect(names).toContain(name);
    expect(await rows(name)).toHaveLength(4);
    expect((await engine.schemas.list(owner, policyId)).map((schema) => schema.name)).toEqual([name]);
  });
});

describe('a draft that is deleted', () => {
  it('is gone with everything in it, and another may have its name', async () => {
    expect(await engine.lifecycle.delete(owner, policyId)).toMatchObject({ documents: 4, memberships: 1 });
    await expect(engine.getPolicy(owner, policyId)).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    await expect(rows('grid')).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    const kinds = ['configuration', 'schema', 'token', 'artifact', 'archive-file', 'document', 'membership'] as const;
    for (const kind of [...kinds, 'journal', 'completion'] as const) expect(await store.count(kind, policyId)).toBe(0);
    const { policy } = await engine.importPolicy(owner, file('First', grid('grid')));
    expect([policy.name, policy.policyTag]).toEqual(['First', 'First']);
  });

  it('is not deleted twice', async () => {
    const deletions = [1, 2].map(() => engine.lifecycle.delete(owner, policyId));
    const outcomes = (await Promise.allSettled(deletions)).map(({ status }) => status);
    expect(outcomes.sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('only', () => {
  const changes = (caller: Caller): Promise<unknown>[] => [
    engine.lifecycle.delete(caller, policyId),
    engine.lifecycle.replace(caller, policyId, file('Other')),
  ];

  it.each([
    ['the owner', other, 'POLICY_UNKNOWN'],
    ['who manages policies', user, 'PERMISSION_DENIED'],
  ])('%s replaces and deletes a draft', async (_, caller, code) => {
    for (const change of changes(caller)) await expect(change).rejects.toMatchObject({ code });
  });

  it('a draft is replaced and deleted, not a trial nor a published policy', async () => {
    await engine.lifecycle.dryRun(owner, policyId);
    for (const change of changes(owner)) await expect(change).rejects.toMatchObject({ code: 'POLICY_STATUS' });
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    for (const change of changes(owner)) await expect(change).rejects.toMatchObject({ code: 'POLICY_STATUS' });
  });
});
