import { interfaceDocumentsSourceBlock, type JsonObject } from '@blockwork/core/block';
import { blockBench, gridWith, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential } from '../../test/documents.js';
import {
  dataTransformationAddon,
  httpRequestUIAddon,
  ipfsTransformationUIAddon,
  transformationButtonBlock,
  transformationUIAddon,
} from './index.js';

const rows = [credential('a', ANN.did, { area: 2 }), credential('b', BOB.did, { area: 3 })];
const areas = 'done(documents.map(({ document }) => document.credentialSubject[0].area))';
const ownRows = { blockType: 'documentsSourceAddon', tag: 'rows', dataType: 'vc-documents', onlyOwnDocuments: true };

describe('dataTransformationAddon', () => {
  const transformed = (expression: string, children: JsonObject[] = []): BlockBench =>
    blockBench(dataTransformationAddon(), {
      options: { expression, children },
      children: children as never,
      documents: rows,
      parent: { blockType: 'interfaceDocumentsSourceBlock', tag: 'grid', children: [ownRows] },
    });

  it('gives the rows that the user sees in the grid, as its script makes them', async () => {
    expect(await transformed(areas).as(ANN).read()).toMatchObject({ data: [2] });
    expect(await transformed(areas).as(BOB).read()).toMatchObject({ data: [3] });
    expect(await transformed('done(null)').as(ANN).read()).toMatchObject({ data: null });
  });

  it('sees the documents of its own sources, and the user', async () => {
    const source = { blockType: 'documentsSourceAddon', tag: 'others', dataType: 'vc-documents' };
    const bench = transformed('done([sources.length, user.did])', [source]);
    expect(await bench.as(ANN).read()).toMatchObject({ data: [2, ANN.did] });
  });

  it('says what is wrong with its script', async () => {
    await expect(transformed('nothing()').as(ANN).read()).rejects.toMatchObject({ code: 'SCRIPT_FAILED' });
    expect(await transformed('').findings()).toMatchObject([{ path: expect.stringMatching(/expression$/) as string }]);
  });
});

describe('transformationButtonBlock', () => {
  const link = { source: 'block', output: 'GetDataEvent', target: 'sums', input: 'GetDataEvent', actor: '' };
  const addon = { blockType: 'dataTransformationAddon', tag: 'sums', expression: areas };
  const grid = (events: JsonObject[]) => ({
    ...gridWith([], { uiMetaData: { fields: [{ bindBlock: 'block' }] }, events }),
    children: [ownRows, addon],
  });
  const button = (events: JsonObject[] = [link]): BlockBench =>
    blockBench(transformationButtonBlock, {
      blocks: [dataTransformationAddon()],
      options: { buttonName: 'Send', url: 'https://example.org/in', events },
      documents: rows,
      parent: { blockType: 'interfaceContainerBlock', children: [grid([])] },
    });

  it('gives its row in the other form, and where it goes', async () => {
    const bench = button();
    expect(await bench.as(ANN).send({ document: { id: 'a', owner: 'forged' } })).toEqual({
      data: [2],
      url: 'https://example.org/in',
    });
    expect(bench.emitted).toEqual([]);
    expect(await bench.as(ANN).read()).toMatchObject({ buttonName: 'Send' });
  });

  it('gives nobody a row that they do not see', async () => {
    await expect(
      button()
        .as(ANN)
        .send({ document: { id: 'b' } }),
    ).rejects.toMatchObject({ code: 'DOCUMENT_UNKNOWN' });
  });

  it('needs a link to a transformation', async () => {
    const bench = button([]);
    expect(await bench.findings()).toContainEqual(
      expect.objectContaining({ message: 'No link leads from "block" to a transformation.' }),
    );
    await expect(bench.as(ANN).send({ document: { id: 'a' } })).rejects.toMatchObject({ code: 'BLOCK_MISCONFIGURED' });
  });
});

describe('addons whose work front ends do', () => {
  it('tell their settings', async () => {
    const read = (type: typeof transformationUIAddon, options: JsonObject) =>
      blockBench(type, { options }).as(ANN).read();
    expect(await read(transformationUIAddon, { expression: 'x' })).toMatchObject({ expression: 'x' });
    expect(await read(httpRequestUIAddon, { method: 'POST', url: 'https://example.org' })).toMatchObject({
      method: 'post',
      url: 'https://example.org',
      headers: [],
      authentication: '',
    });
    expect(await read(ipfsTransformationUIAddon, {})).toMatchObject({
      transformationType: 'base64',
      ipfsGatewayTemplate: 'https://{cid}.ipfs.w3s.link',
    });
  });

  it('are listed by their grid', async () => {
    const bench = blockBench(interfaceDocumentsSourceBlock, {
      blocks: [httpRequestUIAddon],
      children: [ownRows, { blockType: 'httpRequestUIAddon', tag: 'call' }],
    });
    expect(await bench.as(ANN).read()).toMatchObject({
      commonAddons: [{ blockType: 'documentsSourceAddon' }, { blockType: 'httpRequestUIAddon' }],
    });
  });

  it('are found to give a secret away', async () => {
    const headers = [{ name: 'Authorization', value: 'Bearer abc' }];
    const findings = await blockBench(httpRequestUIAddon, { options: { headers } }).findings();
    expect(findings.map(({ code }) => code)).toContain('SECRET_LITERAL');
  });
});
