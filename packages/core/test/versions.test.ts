/** A line of versions: drafts made from published policies, which go on beside what succeeds them. */
import { createEngine, MemoryStore, type Caller, type PolicyEngine } from '@blockwork/core';
import { block, SimulatedClock } from '@blockwork/testing';
import { unzipSync, strFromU8 } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { referenceTo, tool, toolFile, useOf } from './tool-fixtures.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:example:user', role: 'USER' };

const file = (name: string, ...children: object[]) => ({
  name,
  policyTag: name,
  policyRoles: ['Member'],
  policyTopics: [{ name: 'Project', description: '', memoObj: 'topic', static: false, type: 'any' }],
  schemas: [{ iri: '#form', name: 'Form', entity: 'VC', status: 'DRAFT', document: '{}' }],
  config: block('interfaceContainerBlock', 'root', {
    permissions: ['ANY_ROLE'],
    children: [block('policyRolesBlock', 'roles', { roles: ['Member'], permissions: ['NO_ROLE'] }), ...children],
  }),
});

let clock: SimulatedClock;
let engine: PolicyEngine;
let first: string;

beforeEach(async () => {
  clock = new SimulatedClock('2026-03-01T12:00:00Z');
  engine = createEngine({ store: new MemoryStore(), clock });
  first = (await engine.importPolicy(owner, file('Forest', block('informationBlock', 'about')))).policy.id;
  await engine.lifecycle.publish(owner, first, '1.0.0');
  await engine.sendToBlock(user, first, { tag: 'roles' }, { role: 'Member' });
});
afterEach(() => engine.close());

const next = async (policyId: string): Promise<string> => {
  clock.advance('1m');
  return (await engine.lifecycle.nextVersion(owner, policyId)).policy.id;
};
const publish = (policyId: string, version: string) => engine.lifecycle.publish(owner, policyId, version);
const line = async (policyId: string, caller: Caller = owner) =>
  (await engine.lifecycle.versions(caller, policyId)).map(({ id, version, status }) => [id, version, status]);

describe('what is different between two versions', () => {
  it('is nothing at first, though ids of blocks are others', async () => {
    const draft = await next(first);
    expect(await engine.lifecycle.changes(owner, draft, first)).toEqual([
      { area: 'policy', name: 'Forest', change: 'version: "1.0.0" -> "1.0.1"' },
    ]);
  });

  it('is said of each block, and of what roles can do with it', async () => {
    const draft = await next(first);
    await engine.lifecycle.replace(owner, draft, file('Forest', block('informationBlock', 'terms')));
    const changes = await engine.lifecycle.changes(owner, draft, first);
    expect(changes).toContainEqual({ area: 'block', name: 'terms', change: 'new informationBlock in "root"' });
    expect(changes).toContainEqual({
      area: 'role',
      name: 'Member',
      change: 'can no longer see "about" (informationBlock)',
    });
    const back = await engine.lifecycle.changes(owner, first, draft);
    expect(back).toContainEqual({ area: 'role', name: 'Member', change: 'can now see "about" (informationBlock)' });
  });

  it('is told to the owner of both alone', async () => {
    const { policy } = await engine.importPolicy(other, file('Foreign'));
    await expect(engine.lifecycle.changes(owner, first, policy.id)).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    await expect(engine.lifecycle.changes(other, first, policy.id)).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
    await expect(engine.lifecycle.changes(user, first, first)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(engine.lifecycle.changes(owner, first, 'none')).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
  });
});

describe('the next version of a policy', () => {
  it('is a draft under the same name and uuid, with all that the one before it came with', async () => {
    const { policy, findings } = await engine.lifecycle.nextVersion(owner, first);
    const before = await engine.getPolicy(owner, first);
    const { name, uuid, policyTopics, policyRoles, description } = before;
    expect(policy).toMatchObject({ name, uuid, policyTopics, policyRoles, description, status: 'DRAFT' });
    expect(policy).toMatchObject({ previousVersion: '1.0.0', version: '1.0.1', owner: owner.did });
    for (const own of ['id', 'policyTag', 'topicId', 'messageId'] as const) expect(policy[own]).not.toBe(before[own]);
    expect(policy).not.toHaveProperty('publishDate');
    expect(findings).toEqual([]);
    expect((await engine.schemas.list(owner, policy.id)).map(({ id }) => id)).toEqual(['#form']);
    expect(await engine.readBlock(owner, policy.id, { tag: 'about' })).toMatchObject({
      blockType: 'informationBlock',
    });
  });

  it('has nothing of what was done in the one before, which goes on', async () => {
    const second = await next(first);
    await expect(engine.getPolicy(user, second)).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    await publish(second, '2.0.0');
    expect((await engine.getPolicy(user, second)).userRole).toBe('No role');
    expect(await engine.getPolicy(user, first)).toMatchObject({ status: 'PUBLISH', userRole: 'Member' });
    const late: Caller = { did: 'did:example:late', role: 'USER' };
    await engine.sendToBlock(late, first, { tag: 'roles' }, { role: 'Member' });
    expect((await engine.getPolicy(late, first)).userRole).toBe('Member');
    expect((await engine.getPolicy(late, second)).userRole).toBe('No role');
  });

  it('can be made of a discontinued policy, but of no draft or trial', async () => {
    const second = await next(first);
    const refusal = { code: 'POLICY_STATUS', message: expect.stringContaining('PUBLISH, DISCONTINUED') as string };
    await expect(engine.lifecycle.nextVersion(owner, second)).rejects.toMatchObject(refusal);
    await engine.lifecycle.dryRun(owner, second);
    await expect(engine.lifecycle.nextVersion(owner, second)).rejects.toMatchObject(refusal);
    await engine.lifecycle.discontinue(owner, first);
    expect((await engine.lifecycle.nextVersion(owner, first)).policy).toMatchObject({ previousVersion: '1.0.0' });
  });

  it('is made by the owner only', async () => {
    await expect(engine.lifecycle.nextVersion(other, first)).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
    await expect(engine.lifecycle.nextVersion(user, first)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(engine.lifecycle.nextVersion(owner, 'none')).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    expect(await line(first)).toHaveLength(1);
  });

  it('takes another file, and stays in its line', async () => {
    const second = await next(first);
    const { policy } = await engine.lifecycle.replace(owner, second, file('Forest and meadow'));
    expect(policy).toMatchObject({ name: 'Forest and meadow', version: '1.0.1', previousVersion: '1.0.0' });
    await expect(publish(second, '1.0.0')).rejects.toMatchObject({ code: 'VERSION_INVALID' });
    await publish(second, '1.1.0');
    expect((await line(first)).map(([id]) => id)).toEqual([second, first]);
  });

  it('carries the tools of the one before', async () => {
    await engine.tools.import(
      owner,
      toolFile(tool('inner', {}, block('informationBlock', 'first'))),
      referenceTo('1.1'),
    );
    const { policy } = await engine.importPolicy(owner, file('Tooled', useOf('tool', '1.1')));
    await publish(policy.id, '1.0.0');
    const draft = await engine.lifecycle.nextVersion(owner, policy.id);
    expect(draft.findings.map(({ code }) => code)).not.toContain('TOOL_MISSING');
    expect(await engine.findBlock(owner, draft.policy.id, 'tool:first')).toBeDefined();
  });
});

describe('versions', () => {
  it('rise in a line, each number for itself, and each is published once', async () => {
    const [second, third] = [await next(first), await next(first)];
    await expect(publish(second, '1.0.0')).rejects.toMatchObject({ code: 'VERSION_INVALID' });
    await expect(publish(second, '0.9')).rejects.toMatchObject({ code: 'VERSION_INVALID' });
    expect((await publish(second, '1.10.0')).policy).toMatchObject({ version: '1.10.0', previousVersion: '1.0.0' });
    await expect(publish(third, '1.10.0')).rejects.toMatchObject({
      code: 'VERSION_INVALID',
      message: expect.stringContaining('already published') as string,
    });
    expect((await publish(third, '1.9')).isValid).toBe(true);
    expect(await line(first)).toEqual([
      [second, '1.10.0', 'PUBLISH'],
      [third, '1.9.0', 'PUBLISH'],
      [first, '1.0.0', 'PUBLISH'],
    ]);
  });

  it('are published once when two drafts ask at the same time', async () => {
    const drafts = [await next(first), await next(first)];
    const outcomes = await Promise.allSettled(drafts.map((draft) => publish(draft, '2.0.0')));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('are listed with drafts before what they follow, the same from whichever of them, and without others', async () => {
    const second = await next(first);
    await publish(second, '2');
    const third = await next(second);
    const again = await next(second);
    const stranger = await engine.importPolicy(other, {
      ...file('Copy'),
      uuid: (await engine.getPolicy(owner, first)).uuid,
    });
    const expected = [
      [again, '2.0.1', 'DRAFT'],
      [third, '2.0.1', 'DRAFT'],
      [second, '2.0.0', 'PUBLISH'],
      [first, '1.0.0', 'PUBLISH'],
    ];
    for (const each of [first, second, third]) expect(await line(each)).toEqual(expected);
    expect(await line(first, user)).toEqual(expected.slice(2));
    expect(await line(stranger.policy.id, other)).toEqual([[stranger.policy.id, '1.0.0', 'DRAFT']]);
    await engine.lifecycle.delete(owner, third);
    expect(await line(first)).toEqual(expected.filter(([id]) => id !== third));
  });

  it('travel with an exported file, which begins a line of its own where it is imported', async () => {
    const second = await next(first);
    await publish(second, '2.0.0');
    const exported = await engine.exportPolicy(owner, second);
    const { uuid } = await engine.getPolicy(owner, first);
    const written: unknown = JSON.parse(strFromU8(unzipSync(exported)['policy.json'] ?? new Uint8Array()));
    expect(written).toMatchObject({ uuid, version: '2.0.0', previousVersion: '1.0.0' });
    const { policy } = await engine.importPolicy(other, exported);
    expect(policy).not.toHaveProperty('previousVersion');
    expect(policy.uuid).not.toBe(uuid);
  });
});
