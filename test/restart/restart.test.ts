import { createEngine, type Caller, type PolicyEngine } from '@blockwork/core';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { block, documents } from '@blockwork/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:example:user', role: 'USER' };

const policy = {
  id: 'registry',
  name: 'Registry',
  policyRoles: ['Installer'],
  policyGroups: [
    {
      name: 'Teams',
      creator: 'Installer',
      members: ['Installer'],
      groupAccessType: 'Private',
      groupRelationshipType: 'Multiple',
    },
  ],
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('policyRolesBlock', 'roles', { groups: ['Teams'] }),
      block('interfaceDocumentsSourceBlock', 'grid', {
        uiMetaData: { enableSorting: true },
        children: [
          block('documentsSourceAddon', 'source', {
            dataType: 'vc-documents',
            filters: [{ type: 'equal', field: 'type', value: 'report' }],
          }),
          block('paginationAddon', 'pages'),
        ],
      }),
    ],
  }),
};

let folder: string;
let engine: PolicyEngine;

const start = async (): Promise<PolicyEngine> =>
  createEngine({ store: await openLowdbStore({ folder }), trustedInstances: ['north'] });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockwork-restart-'));
  engine = await start();
  await engine.importPolicy(owner, policy);
  await engine.program.documents.add('registry', documents(30));
});
afterEach(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

const restart = async (): Promise<void> => {
  await engine.close();
  engine = await start();
};

describe('after a restart', () => {
  it('every block shows each user what it showed before', async () => {
    const send = (tag: string, data: object) => engine.sendToBlock(user, 'registry', { tag }, data);
    await send('roles', { group: 'Teams', label: 'North' });
    await send('roles', { group: 'Teams', label: 'South' });
    await send('pages', { page: 2, itemsPerPage: 7 });
    await send('grid', { orderField: 'createDate', orderDirection: 'desc' });
    const look = async () => ({
      pages: await engine.readBlock(user, 'registry', { tag: 'pages' }),
      grid: await engine.readBlock(user, 'registry', { tag: 'grid' }),
      groups: await engine.listGroups(user, 'registry'),
      record: await engine.getPolicy(user, 'registry'),
      others: await engine.readBlock(owner, 'registry', { tag: 'pages' }),
    });
    const before = await look();
    expect(before).toMatchObject({ pages: { size: 30, itemsPerPage: 7, page: 2 }, others: { page: 0 } });
    await restart();
    expect(await look()).toEqual(before);

    const south = before.groups.find(({ groupLabel }) => groupLabel === 'South');
    await engine.switchGroup(user, 'registry', south?.uuid ?? null);
    expect(await engine.readBlock(user, 'registry', { tag: 'pages' })).toMatchObject({ page: 0, itemsPerPage: 10 });
    await restart();
    expect((await engine.getPolicy(user, 'registry')).userGroup).toMatchObject({ groupLabel: 'South' });
  });

  it('large documents are there, a page of them that is too large ends early, and smaller ones are whole', async () => {
    const large = (at: number) => ({
      owner: owner.did,
      type: 'report',
      document: { text: String(at).repeat(1_000_000) },
    });
    for (let at = 0; at < 20; at += 1) await engine.program.documents.add('registry', [large(at % 10)]);
    const read = (query: { page: string; itemsPerPage: string }) =>
      engine.readBlockText(owner, 'registry', { tag: 'grid' }, query);
    for (let start = 0; start < 2; start += 1) {
      const cut = await read({ page: '1', itemsPerPage: '25' });
      expect(cut.length).toBeGreaterThan(5_000_000);
      expect(cut.length).toBeLessThan(16_777_216);
      expect((await read({ page: '6', itemsPerPage: '5' })).length).toBeGreaterThan(5_000_000);
      await restart();
    }
  });

  it('a request is still there to be approved, and one that was approved gives the same answer', async () => {
    const { config, ...offered } = await engine.getPolicy(owner, 'registry');
    const record = { ...offered, id: 'offered', uuid: '11111111-2222-4333-8444-555555555555', policyTag: 'offered' };
    const messageId = '1773670900.819264517';
    const sender = { instance: 'north', did: 'did:example:north' };
    await engine.program.requests.receive({
      messageId,
      sender,
      policyId: 'offered',
      action: { type: 'import-policy', policy: { ...record, config } },
    });
    await restart();
    const answer = await engine.requests.approve(owner, messageId, record);
    await restart();
    expect(await engine.requests.approve(owner, messageId, record)).toEqual(answer);
    expect((await engine.listPolicies(owner)).total).toBe(2);
  });
});
