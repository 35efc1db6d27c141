/** What waits at the blocks of a policy: counted for all users together, told to the owner alone. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, MemoryStore, type Caller, type PolicyEngine, type PendingWorkAtBlock } from '@blockwork/core';
import { defineBlock, type JsonObject } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const stranger: Caller = { did: 'did:example:stranger', role: 'STANDARD_REGISTRY' };
const ann: Caller = { did: 'did:example:ann', role: 'USER' };
const bob: Caller = { did: 'did:example:bob', role: 'USER' };

const failing = defineBlock({
  type: 'failing',
  title: 'Failing',
  description: 'Fails.',
  kind: 'server',
  on: { RunEvent: (ctx) => ctx.fail('INPUT_INVALID', { facts: { reason: 'always' } }) },
});
const button = (tag: string, value: string) => ({
  tag,
  type: 'selector',
  field: 'option.status',
  value,
  filters: [{ type: 'not_in', field: 'option.kind', value: 'draft,odd' }],
});
const open = { permissions: ['ANY_ROLE'] };

const policy = {
  name: 'Waiting',
  policyRoles: ['Voter'],
  policyGroups: [
    {
      name: 'Team',
      creator: 'Voter',
      groupAccessType: 'Global',
      groupRelationshipType: 'Multiple',
      members: ['Voter'],
    },
  ],
  config: block('interfaceContainerBlock', 'root', {
    ...open,
    children: [
      block('interfaceDocumentsSourceBlock', 'grid', {
        ...open,
        uiMetaData: {
          fields: [
            { name: 'option.status', bindBlock: 'decide' },
            { name: 'kind', bindBlock: 'choose', bindGroup: 'mine' },
          ],
        },
        children: [
          block('documentsSourceAddon', 'mine', {
            ...open,
            dataType: 'vc-documents',
            onlyOwnDocuments: true,
            onlyOwnByGroupDocuments: true,
            filters: [
              { type: 'not_equal', field: 'option.status', value: 'Gone' },
              { type: 'user_defined', field: 'option.kind' },
            ],
          }),
          block('documentsSourceAddon', 'fresh', {
            ...open,
            dataType: 'vc-documents',
            filters: [{ type: 'equal', field: 'option.status', value: 'New' }],
          }),
          block('documentsSourceAddon', 'latest', { ...open, dataType: 'vc-documents', hidePreviousVersions: true }),
          block('documentsSourceAddon', 'nowhere', { ...open, dataType: 'unheard-of' }),
          block('multiSignBlock', 'vote', { ...open, threshold: '100' }),
        ],
      }),
      block('buttonBlock', 'decide', {
        ...open,
        uiMetaData: {
          buttons: [button('yes', 'Approved'), button('no', 'Rejected'), { tag: 'look', type: 'selector' }],
        },
      }),
      block('interfaceActionBlock', 'choose', {
        ...open,
        type: 'selector',
        field: 'option.choice',
        uiMetaData: { options: [{ tag: 'one', name: 'One', value: 1 }] },
      }),
      block('buttonBlock', 'start', {
        ...open,
        uiMetaData: { buttons: [{ tag: 'go', type: 'selector', field: '' }] },
        events: [{ source: 'start', output: 'go', target: 'breaks', input: 'RunEvent', actor: '' }],
      }),
      block('failing', 'breaks', { onErrorAction: 'retry', errorTimeout: 600_000 }),
      block('aggregateDocumentBlock', 'collect', { aggregateType: 'period' }),
      block('unheardOf', 'strange', open),
      block('policyRolesBlock', 'join', { permissions: ['ANY_ROLE', 'NO_ROLE'], groups: ['Team'] }),
    ],
  }),
};

let engine: PolicyEngine;
let policyId: string;

beforeAll(async () => {
  engine = createEngine({
    store: new MemoryStore(),
    blocks: [...standardBlocks(), failing],
    trustedInstances: ['far-away'],
  });
  policyId = (await engine.importPolicy(owner, policy)).policy.id;
  const document = (id: string, option: JsonObject, of = ann) => ({ id, owner: of.did, option, document: { id } });
  await engine.program.documents.add(policyId, [
    document('a', { status: 'New' }),
    document('b', { status: 'New', choice: 1 }, stranger),
    document('c', { status: 'Approved' }),
    document('d', { status: 'New', kind: 'odd' }),
    document('e', { status: 'Gone' }),
  ]);
});
afterAll(() => engine.close());

const pendingByTag = async (): Promise<Map<string, Partial<PendingWorkAtBlock>>> => {
  const { items } = await engine.pendingWork.list(owner, policyId);
  return new Map(items.map(({ tag, uuid: _, blockType: _type, ...counts }) => [tag, counts]));
};

describe('what waits at a block', () => {
  it('is counted for all users together, each document once, and without what only one of them asks for', async () => {
    const counts = await pendingByTag();
    expect(counts.get('mine')).toEqual({ documents: 4 });
    expect(counts.get('fresh')).toEqual({ documents: 3 });
    expect(counts.get('latest')).toEqual({ documents: 5 });
    expect(counts.get('nowhere')).toEqual({ documents: 0 });
    expect(counts.get('grid')).toEqual({ documents: 5 });
    expect(counts.get('strange')).toEqual({});
    expect(counts.get('root')).toEqual({});
  });

  it('are the documents that somebody can still decide, of those whose rows offer the block', async () => {
    const counts = await pendingByTag();
    // Neither the approved one nor that whose kind the buttons leave out.
    expect(counts.get('decide')).toEqual({ decisions: 3 });
    // Of the rows of one source, those without the choice.
    expect(counts.get('choose')).toEqual({ decisions: 3 });
    // A button beside no row decides nothing.
    expect(counts.get('start')).toEqual({});
    expect(counts.get('vote')).toEqual({ aggregation: 0 });
    expect(counts.get('collect')).toEqual({ aggregation: 0 });
  });

  it('are votes that are not decided, retries of what failed, and requests of others', async () => {
    await engine.lifecycle.dryRun(owner, policyId);
    const offered = { id: 'v', owner: owner.did, option: { status: 'New' }, document: { id: 'v' } };
    await engine.program.documents.add(policyId, [offered]);
    for (const each of [ann, bob])
      await engine.sendToBlock(each, policyId, { tag: 'join' }, { group: 'Team', label: 'T' });
    await engine.sendToBlock(ann, policyId, { tag: 'vote' }, { document: { id: 'v' }, status: 'SIGNED' });
    await engine.sendToBlock(owner, policyId, { tag: 'start' }, { tag: 'go' });
    await engine.program.requests.receive({
      messageId: '1773670900.819264517',
      sender: { instance: 'far-away', did: 'did:example:far' },
      policyId,
      action: { type: 'send-data', tag: 'decide', user: { did: 'did:example:far' }, data: {} },
    });
    const counts = await pendingByTag();
    expect(counts.get('breaks')).toEqual({ retries: 1 });
    expect(counts.get('decide')).toMatchObject({ requests: 1 });
    expect(counts.get('vote')).toEqual({ aggregation: 1 });
    expect(counts.get('choose')).not.toHaveProperty('requests');
  });

  it('is told page by page, in the order of the tree', async () => {
    const { items, total } = await engine.pendingWork.list(owner, policyId, { offset: 1, limit: 2 });
    expect(items.map(({ tag }) => tag)).toEqual(['grid', 'mine']);
    expect(total).toBe(14);
    await expect(engine.pendingWork.list(owner, policyId, { limit: 1001 })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  it('is nobody else’s business', async () => {
    await expect(engine.pendingWork.list(stranger, policyId)).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    await expect(engine.pendingWork.list(ann, policyId)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });
});
