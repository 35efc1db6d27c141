/** What the compiler finds in policies that are written as code, and that they run. The types are checked with those of all tests. */
import { createEngine } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { standardBlocks } from '../standard-blocks.js';
import { definePolicy } from './index.js';

const farm = '#6c2d0000-0000-4000-8000-000000000001';

const policy = definePolicy({
  name: 'Farms',
  policyRoles: ['Farmer', 'Auditor'],
  schemas: [
    {
      iri: farm,
      name: 'Farm',
      document: {
        $id: farm,
        title: 'Farm',
        type: 'object',
        properties: { area: { type: 'number', title: 'area', description: 'Area' } },
        required: ['area'],
      },
    },
  ],
  config: {
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    uiMetaData: { type: 'tabs' },
    children: [
      {
        blockType: 'policyRolesBlock',
        tag: 'join',
        permissions: ['NO_ROLE'],
        defaultActive: true,
        roles: ['Farmer', 'Auditor'],
        uiMetaData: { title: 'Join' },
      },
      {
        blockType: 'requestVcDocumentBlock',
        tag: 'apply',
        permissions: ['Farmer'],
        defaultActive: true,
        schema: farm,
        idType: 'UUID',
        uiMetaData: { type: 'page', title: 'Apply' },
        events: [{ source: 'apply', output: 'RefreshEvent', target: 'farms', input: 'RefreshEvent' }],
      },
      {
        blockType: 'sendToGuardianBlock',
        tag: 'save',
        permissions: ['Farmer'],
        dataSource: 'auto',
        documentType: 'vc',
        entityType: 'farm',
      },
      {
        blockType: 'interfaceDocumentsSourceBlock',
        tag: 'farms',
        permissions: ['Auditor'],
        defaultActive: true,
        uiMetaData: { fields: [{ name: 'document.credentialSubject.0.area', title: 'Area', type: 'text' }] },
        children: [
          {
            blockType: 'documentsSourceAddon',
            tag: 'all_farms',
            permissions: ['Auditor'],
            dataType: 'vc-documents',
            filters: [{ type: 'equal', field: 'type', value: 'farm' }],
          },
        ],
      },
    ],
  },
});

describe('a policy as code', () => {
  it('is imported without findings, and runs', async () => {
    const engine = createEngine({ blocks: standardBlocks() });
    const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
    const imported = await engine.importPolicy(owner, policy);
    expect(imported.findings.filter(({ severity }) => severity !== 'information')).toEqual([]);
    const { id } = imported.policy;
    await engine.lifecycle.publish(owner, id, '1.0.0');
    const ann = { did: 'did:example:ann', role: 'USER' };
    await engine.sendToBlock(ann, id, { tag: 'join' }, { role: 'Farmer' });
    await engine.sendToBlock(ann, id, { tag: 'apply' }, { document: { area: 12 }, ref: null });
    const bob = { did: 'did:example:bob', role: 'USER' };
    await engine.sendToBlock(bob, id, { tag: 'join' }, { role: 'Auditor' });
    expect(await engine.readBlock(bob, id, { tag: 'farms' })).toMatchObject({ data: [{ schema: farm }] });
    await engine.close();
  });

  it('does not compile with what no policy can have', () => {
    const root = {
      blockType: 'interfaceContainerBlock',
      tag: 'root',
      permissions: ['ANY_ROLE'],
      uiMetaData: {},
    } as const;
    const join = { blockType: 'policyRolesBlock', tag: 'join', permissions: ['NO_ROLE'], roles: ['Farmer'] } as const;
    const farms = { name: 'Farms', policyRoles: ['Farmer'] } as const;

    // @ts-expect-error a block type that there is not
    definePolicy({ ...farms, config: { ...root, blockType: 'interfaceContanerBlock' } });
    // @ts-expect-error a member that no block has
    definePolicy({ ...farms, config: { ...root, permision: ['ANY_ROLE'] } });
    // @ts-expect-error the same in a child
    definePolicy({ ...farms, config: { ...root, children: [{ ...join, rolls: ['Farmer'] }] } });
    // @ts-expect-error children by another name
    definePolicy({ ...farms, config: { ...root, childs: [join] } });
    // @ts-expect-error a role that the policy does not have
    definePolicy({ ...farms, config: { ...root, permissions: ['Farmr'] } });
    const mint = { blockType: 'mintDocumentBlock', tag: 'mint', permissions: ['OWNER'] } as const;
    definePolicy({ ...farms, config: { ...root, children: [{ ...mint, tokenId: '0.0.1', rule: '1' }] } });
    // @ts-expect-error a member that is missing
    definePolicy({ ...farms, config: { ...root, children: [mint] } });
    // @ts-expect-error a value of another kind
    definePolicy({ ...farms, config: { ...root, children: [{ ...join, roles: 'Farmer' }] } });
    // @ts-expect-error a member of a policy that there is not
    definePolicy({ ...farms, roles: ['Farmer'], config: root });

    const events = [{ source: 'join', output: 'RunEvent', target: 'root', input: 'RefreshEvent' }] as const;
    definePolicy({ ...farms, config: { ...root, children: [{ ...join, events }] } });
    const dangling = [{ source: 'join', output: 'RunEvent', target: 'rot', input: 'RefreshEvent' }] as const;
    // @ts-expect-error a link to a tag that no block has
    definePolicy({ ...farms, config: { ...root, children: [{ ...join, events: dangling }] } });

    const button = { blockType: 'buttonBlock', tag: 'decide', permissions: ['Farmer'] } as const;
    const stubOptions = {
      uiMetaData: { buttons: [{ tag: 'A', type: 'selector', field: 'option.status', value: 'Yes' }] },
    } as const;
    definePolicy({ ...farms, config: { ...root, children: [{ ...button, ...stubOptions }] } });
    const filters = [{ type: 'equals', field: 'option.status', value: 'New' }] as const;
    const unknown = { uiMetaData: { buttons: [{ tag: 'A', type: 'selector', filters }] } } as const;
    // @ts-expect-error a filter of a type that there is not
    definePolicy({ ...farms, config: { ...root, children: [{ ...button, ...unknown }] } });
    expect(farms.name).toBe('Farms');
  });
});
