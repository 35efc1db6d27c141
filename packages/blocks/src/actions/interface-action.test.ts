import type { JsonObject } from '@blockwork/core/block';
import { blockBench, gridWith, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { FARM, FARM_CONTEXT, schemas } from '../../test/farm-schemas.js';
import { interfaceActionBlock } from './interface-action.js';

const OWNER = { role: 'OWNER' };
const device = credential('device', ANN.did, { siteId: 'none' }, { type: 'device', group: ANN.group });
const sites = [
  credential('site', BOB.did, { siteName: 'Depot' }, { type: 'site' }),
  credential('again', BOB.did, { id: 'urn:subject:site', siteName: 'Depot (approved)' }, { type: 'site' }),
  credential('other', BOB.did, { siteName: 'Mill' }, { type: 'site' }),
];

const ofType = (tag: string, value: string): JsonObject => ({
  blockType: 'documentsSourceAddon',
  tag,
  dataType: 'vc-documents',
  filters: [{ type: 'equal', field: 'type', value }],
});

const action = (options: JsonObject): BlockBench =>
  blockBench(interfaceActionBlock, {
    roles: ['Farmer'],
    options,
    policy: { schemas, policyTag: 'Tag_1' },
    children: options['type'] === 'dropdown' ? [ofType('sites', 'site') as never] : [],
    documents: [device, ...sites],
    parent: {
      blockType: 'interfaceContainerBlock',
      children: [
        {
          ...gridWith([], { uiMetaData: { fields: [{ bindBlock: 'block' }] } }),
          children: [ofType('devices', 'device') as never],
        },
      ],
    },
  });

const dropdown = (field: string): BlockBench =>
  action({
    type: 'dropdown',
    name: 'document.credentialSubject.0.siteName',
    value: 'document.credentialSubject.0.id',
    field,
  });

const row = (more: JsonObject): JsonObject => ({ ...(device as unknown as JsonObject), ...more });

describe('a dropdown', () => {
  it('offers what its sources have, each value once', async () => {
    expect(await dropdown('assignedTo').as(OWNER).read()).toMatchObject({
      type: 'dropdown',
      field: 'assignedTo',
      options: [
        { name: 'Depot', value: 'urn:subject:site' },
        { name: 'Mill', value: 'urn:subject:other' },
      ],
    });
  });

  it('writes the choice into the stored document, and goes on as its owner', async () => {
    const bench = dropdown('assignedTo');
    await bench.as(OWNER).send(row({ assignedTo: 'urn:subject:other', owner: 'did:x', option: { status: 'Forged' } }));
    expect(bench.emitted.map(({ output, did }) => [output, did])).toEqual([
      ['DropdownEvent', ANN.did],
      ['RefreshEvent', ANN.did],
    ]);
    expect(sent(bench, 'DropdownEvent')[0]).toMatchObject({
      id: 'device',
      owner: ANN.did,
      option: {},
      assignedTo: 'urn:subject:other',
    });
  });

  it('has a changed subject signed by the one who changed it, in the place of the old credential', async () => {
    const bench = dropdown('document.credentialSubject.0.siteId');
    const document = { credentialSubject: [{ siteId: 'urn:subject:site', amount: 5 }] };
    await bench.as(OWNER).send(row({ document }));
    const [stored] = await bench.documents();
    expect(stored).toMatchObject({
      id: 'device',
      owner: ANN.did,
      type: 'device',
      document: {
        issuer: 'did:bench:owner',
        credentialSubject: [{ id: 'urn:subject:device', siteId: 'urn:subject:site' }],
        evidence: [{ id: 'urn:device', issuer: ANN.did }],
      },
    });
    expect(sent(bench, 'DropdownEvent')[0]).toMatchObject({ id: 'device', hash: stored?.hash });
  });

  it('takes no other choice, no row that is not offered, and no choice for a row', async () => {
    const bench = dropdown('assignedTo');
    const before = await bench.documents();
    const bad = [
      row({ assignedTo: 'did:test:eve' }),
      row({ assignedTo: null }),
      row({}),
      { id: 'site', assignedTo: 'urn:subject:other' },
      { id: 'nothing', assignedTo: 'urn:subject:other' },
      { assignedTo: 'urn:subject:other' },
      null,
      'device',
    ];
    for (const body of bad) {
      await expect(bench.as(OWNER).send(body)).rejects.toMatchObject({ name: 'BlockworkError' });
    }
    expect(bench.emitted).toEqual([]);
    expect(await bench.documents()).toEqual(before);
  });
});

describe('a selector', () => {
  const selector = (): BlockBench =>
    action({
      type: 'selector',
      uiMetaData: {
        field: 'option.status',
        options: [
          { tag: 'Option_0', value: 'Approved', user: 'current' },
          { tag: 'Option_1', value: 'Rejected' },
        ],
      },
    });

  it('fires the option that was chosen, as the current user or the owner', async () => {
    const bench = selector();
    await bench.as(OWNER).send(row({ option: { status: 'Approved', extra: 1 } }));
    await bench.as(OWNER).send(row({ option: { status: 'Rejected' } }));
    expect(bench.emitted.map(({ output, did }) => [output, did])).toEqual([
      ['Option_0', 'did:bench:owner'],
      ['RefreshEvent', 'did:bench:owner'],
      ['Option_1', ANN.did],
      ['RefreshEvent', ANN.did],
    ]);
    expect(sent(bench, 'Option_0')[0]).toMatchObject({ option: { status: 'Approved' } });
    expect(sent(bench, 'Option_0')[0]!.option).not.toHaveProperty('extra');
  });

  it('fires nothing that the policy does not offer', async () => {
    const bench = selector();
    await expect(bench.as(OWNER).send(row({ option: { status: 'Minted' } }))).rejects.toThrow('does not offer');
    expect(bench.emitted).toEqual([]);
  });
});

describe('a download', () => {
  it('tells a device what it has to know, and no key', async () => {
    const bench = action({ type: 'download', schema: FARM, targetUrl: 'https://example.org/external' });
    const file = (await bench.as(OWNER).send({ id: 'device' })) as JsonObject;
    expect(file).toMatchObject({
      fileName: 'urn:subject:device.config.json',
      body: {
        url: 'https://example.org/external',
        installer: ANN.did,
        did: 'urn:subject:device',
        type: FARM.slice(1),
        schema: {},
        schemaDocument: { $id: FARM },
        context: { '@context': [FARM_CONTEXT] },
        policyTag: 'Tag_1',
        ref: 'urn:subject:device',
      },
    });
    expect(Object.keys(file.body as JsonObject).filter((name) => /key/i.test(name))).toEqual([]);
    await expect(bench.as(OWNER).send({ id: 'site' })).rejects.toMatchObject({ code: 'DOCUMENT_UNKNOWN' });
    expect(bench.emitted).toEqual([]);
  });
});

describe('an action', () => {
  it('is found to be wrong when something is missing, or its type is none', async () => {
    const findings = await action({ type: 'dropdown', name: 'a' }).findings();
    const paths = findings.filter(({ code }) => code === 'OPTIONS_INVALID').map(({ path }) => path.split('/').at(-1));
    expect(paths).toEqual(['field', 'value']);
    const odd = action({ type: 'transformation' });
    expect(await odd.findings()).toContainEqual(expect.objectContaining({ code: 'OPTIONS_INVALID' }));
    await expect(odd.as(OWNER).send({ id: 'device' })).rejects.toMatchObject({ code: 'BLOCK_MISCONFIGURED' });
  });
});
