import { blockBench, type BenchSetup, type BlockBench, type BlockFragment } from '@blockwork/testing';
import { interfaceDocumentsSourceBlock, type BlockType, type Json, type JsonObject } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { FARM, schemas } from '../../test/farm-schemas.js';
import { requestValidationAddon } from '../forms/index.js';
import { buttonBlockAddon, dropdownBlockAddon, requestVcDocumentBlockAddon, selectiveAttributes } from './index.js';

const rows = [
  credential('a', ANN.did, { name: 'North' }, { option: { status: 'New' } }),
  credential('b', BOB.did, { name: 'South' }, { option: { status: 'New', comment: 'first' } }),
];
const ownRows = { blockType: 'documentsSourceAddon', tag: 'rows', dataType: 'vc-documents', onlyOwnDocuments: true };

/** A grid, which is what is watched, with the addon and rows that each user sees of their own. */
const gridOf = (addon: BlockFragment, types: BlockType[], setup: BenchSetup = {}): BlockBench =>
  blockBench(interfaceDocumentsSourceBlock, {
    roles: ['Farmer'],
    blocks: types,
    documents: rows,
    children: [ownRows, { tag: 'addon', ...addon }],
    ...setup,
  });

describe('buttonBlockAddon', () => {
  const button = (more: JsonObject = {}) =>
    gridOf({ blockType: 'buttonBlockAddon', name: 'Close', ...more }, [buttonBlockAddon]);

  it('has the grid send the stored row along the output with its tag', async () => {
    const bench = button();
    await bench.as(ANN).at('addon').send({ documentId: 'a', dialogResult: 'not asked for' });
    expect(bench.emitted).toMatchObject([
      { output: 'addon', did: ANN.did, data: { id: 'a', owner: ANN.did, option: { status: 'New' } } },
    ]);
    expect(bench.emitted[0]?.data).not.toHaveProperty('option.comment');
  });

  it('is listed by its grid, and shows itself', async () => {
    const bench = button({ dialog: true, dialogOptions: { dialogTitle: 'Why?' } });
    const { commonAddons } = (await bench.as(ANN).read()) as { commonAddons: JsonObject[] };
    expect(commonAddons.map(({ blockType }) => blockType)).toEqual(['documentsSourceAddon', 'buttonBlockAddon']);
    expect(await bench.as(ANN).at('addon').read()).toMatchObject({
      blockType: 'buttonBlockAddon',
      name: 'Close',
      dialog: true,
      dialogOptions: { dialogTitle: 'Why?', dialogResultFieldPath: 'option.comment' },
    });
  });

  it('adds the text of its dialog to the comments, or puts it where the policy says', async () => {
    const bench = button({ dialog: true });
    await bench.as(BOB).at('addon').send({ documentId: 'b', dialogResult: 'second' });
    expect(sent(bench, 'addon')[0]).toMatchObject({ comment: 'second', option: { comment: ['first', 'second'] } });
    const other = button({ dialog: true, dialogOptions: { dialogResultFieldPath: 'option.reason' } });
    await other.as(ANN).at('addon').send({ documentId: 'a', dialogResult: 'old' });
    expect(sent(other, 'addon')[0]?.option).toEqual({ status: 'New', reason: 'old' });
  });

  it('takes only rows that this user sees in the grid', async () => {
    const bench = button();
    for (const documentId of ['b', 'nothing']) {
      await expect(bench.as(ANN).at('addon').send({ documentId })).rejects.toMatchObject({ code: 'DOCUMENT_UNKNOWN' });
    }
    expect(bench.emitted).toEqual([]);
  });

  it('is found to lack its name, and does nothing outside of a grid', async () => {
    expect(await button({ name: '' }).findings()).toMatchObject([
      { message: expect.stringContaining('no name') as string },
    ]);
    const alone = blockBench(buttonBlockAddon, { documents: rows, options: { name: 'x' } });
    await expect(alone.as(ANN).send({ documentId: 'a' })).rejects.toMatchObject({ code: 'BLOCK_MISCONFIGURED' });
  });

  it('reaches the links that begin at the grid, and only those of its own tag', async () => {
    const bench = gridOf({ blockType: 'buttonBlockAddon', name: 'Close' }, [buttonBlockAddon], {
      children: [
        ownRows,
        { blockType: 'buttonBlockAddon', tag: 'one', name: '1' },
        { blockType: 'buttonBlockAddon', tag: 'two', name: '2' },
      ],
    });
    await bench.as(ANN).at('two').send({ documentId: 'a' });
    expect(bench.emitted.map(({ output }) => output)).toEqual(['two']);
    expect((await bench.findings()).map(({ code }) => code)).not.toContain('LINK_NEVER_FIRES');
  });
});

describe('dropdownBlockAddon', () => {
  const choices = {
    blockType: 'documentsSourceAddon',
    tag: 'choices',
    dataType: 'vc-documents',
    filters: [{ type: 'equal', field: 'type', value: 'verifier' }],
  };
  const verifiers = ['x', 'y'].map((id) => credential(id, BOB.did, { name: `Verifier ${id}` }, { type: 'verifier' }));
  const dropdown = (more: JsonObject = {}): BlockBench =>
    gridOf(
      {
        blockType: 'dropdownBlockAddon',
        optionName: 'document.credentialSubject.0.name',
        optionValue: 'document.credentialSubject.0.id',
        field: 'assignedTo',
        children: [choices],
        ...more,
      },
      [dropdownBlockAddon],
      { documents: [...rows, ...verifiers] },
    );

  it('offers the documents of its sources', async () => {
    expect(await dropdown().as(ANN).at('addon').read()).toMatchObject({
      documents: [
        { name: 'Verifier x', optionValue: 'urn:subject:x', value: 'x' },
        { name: 'Verifier y', optionValue: 'urn:subject:y', value: 'y' },
      ],
    });
  });

  it('gives the row the value of the chosen one, and no other', async () => {
    const bench = dropdown();
    await bench.as(ANN).at('addon').send({ documentId: 'a', dropdownDocumentId: 'y' });
    expect(sent(bench, 'addon')).toMatchObject([{ id: 'a', assignedTo: 'urn:subject:y' }]);
    const wrong = bench.as(ANN).at('addon').send({ documentId: 'a', dropdownDocumentId: 'b' });
    await expect(wrong).rejects.toMatchObject({ code: 'CHOICE_UNKNOWN' });
    const foreign = bench.as(ANN).at('addon').send({ documentId: 'x', dropdownDocumentId: 'y' });
    await expect(foreign).rejects.toMatchObject({ code: 'DOCUMENT_UNKNOWN' });
    expect(bench.emitted).toHaveLength(1);
  });

  it('takes rows that are also among its choices', async () => {
    const bench = dropdown({ children: [{ ...choices, filters: [] }] });
    await bench.as(ANN).at('addon').send({ documentId: 'a', dropdownDocumentId: 'b' });
    expect(sent(bench, 'addon')).toMatchObject([{ id: 'a', assignedTo: 'urn:subject:b' }]);
  });

  it('never writes what only the engine sets', async () => {
    const bench = dropdown({ field: 'policyId' });
    const wrong = bench.as(ANN).at('addon').send({ documentId: 'a', dropdownDocumentId: 'y' });
    await expect(wrong).rejects.toMatchObject({ code: 'BLOCK_MISCONFIGURED' });
  });
});

describe('requestVcDocumentBlockAddon', () => {
  const form = (more: JsonObject = {}, children: BlockFragment[] = []): BlockBench =>
    gridOf(
      {
        blockType: 'requestVcDocumentBlockAddon',
        schema: FARM,
        idType: 'UUID',
        buttonName: 'Report',
        children,
        ...more,
      },
      [requestVcDocumentBlockAddon, requestValidationAddon],
      { policy: { schemas } },
    );
  const report = { name: 'Harvest' };

  it('makes a document that refers to the row, for the grid to send', async () => {
    const bench = form();
    const answer = await bench
      .as(ANN)
      .at('addon')
      .send({ document: { ...report, ref: 'forged' }, ref: 'a' });
    expect(sent(bench, 'addon')).toEqual([answer]);
    expect(answer).toMatchObject({
      owner: ANN.did,
      schema: FARM,
      relationships: ['1.a'],
      document: { issuer: ANN.did, credentialSubject: [{ name: 'Harvest', ref: 'urn:subject:a' }] },
    });
  });

  it('shows its form', async () => {
    expect(await form().as(ANN).at('addon').read()).toMatchObject({ buttonName: 'Report', schema: { iri: FARM } });
  });

  it('takes evidence where it is asked for', async () => {
    const evidence = [{ dataType: 'table', data: { rows: 3 } }];
    const post = (bench: BlockBench) =>
      bench
        .as(ANN)
        .at('addon')
        .send({ document: report, ref: { id: 'a' }, evidence });
    await expect(post(form())).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    const bench = form({ enableAdditionalData: true });
    await post(bench);
    expect(sent(bench, 'addon')[0]).toMatchObject({ document: { evidence } });
  });

  it('refuses a row that the user does not see, and what the schema does not want', async () => {
    const bench = form();
    const post = (document: Json, ref: Json) => bench.as(ANN).at('addon').send({ document, ref });
    await expect(post(report, 'b')).rejects.toMatchObject({ code: 'DOCUMENT_UNKNOWN' });
    await expect(post({ area: 'big' }, 'a')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(post(report, null)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(bench.emitted).toEqual([]);
  });

  it('lets a validation among its children refuse', async () => {
    const validation = {
      filters: [{ field: 'option.status', type: 'equal', typeValue: 'value', value: 'New' }],
      conditions: [
        {
          field: 'document.credentialSubject.0.name',
          type: 'not_in',
          value: 'document.credentialSubject.0.name',
          valueSource: 'source',
        },
      ],
      failMessage: 'That name is taken',
    };
    const bench = form({}, [{ blockType: 'requestValidationAddon', tag: 'check', validations: [validation] }]);
    await bench.as(ANN).at('addon').send({ document: report, ref: 'a' });
    const sending = bench
      .as(ANN)
      .at('addon')
      .send({ document: { name: 'South' }, ref: 'a' });
    await expect(sending).rejects.toMatchObject({
      code: 'DOCUMENT_REFUSED',
      message: expect.stringContaining('That name is taken') as string,
    });
    expect(bench.emitted).toHaveLength(1);
  });
});

describe('requestValidationAddon', () => {
  const subject = 'document.credentialSubject.0';
  const decides = async (validation: JsonObject, area = 1): Promise<string> => {
    const bench = gridOf(
      {
        blockType: 'requestVcDocumentBlockAddon',
        schema: FARM,
        children: [{ blockType: 'requestValidationAddon', tag: 'check', validations: [validation] }],
      },
      [requestVcDocumentBlockAddon, requestValidationAddon],
      {
        policy: { schemas },
        documents: [...rows, credential('limit', BOB.did, { area: 5, names: ['X', 'Y'] }, { type: 'limit' })],
      },
    );
    try {
      await bench
        .as(ANN)
        .at('addon')
        .send({ document: { name: 'X', area }, ref: 'a' });
      return 'passes';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };
  const limits = [{ field: 'type', type: 'equal', typeValue: 'value', value: 'limit' }];
  const compared = (type: string, value: Json, valueSource = 'source', field = `${subject}.area`) => ({
    filters: limits,
    conditions: [{ field, fieldSource: 'document', type, value, valueSource }],
  });

  it('compares fields of the form with those of documents that it finds, or with values', async () => {
    expect(await decides(compared('lt', `${subject}.area`))).toBe('passes');
    expect(await decides(compared('lt', `${subject}.area`), 5)).toMatch(/^Validation failed/);
    expect(await decides(compared('gt', 3, 'value'), 4)).toBe('passes');
    expect(await decides(compared('equal', 4, 'value'), 3)).toMatch(/^Validation failed/);
    expect(await decides(compared('in', `${subject}.names`, 'source', `${subject}.name`))).toBe('passes');
    expect(await decides(compared('not_in', `${subject}.names`, 'source', `${subject}.name`))).toMatch(/^Validation/);
    expect(await decides(compared('gt', 'text', 'value'))).toMatch(/^Validation failed/);
  });

  it('finds documents by values and by fields of the form, and refuses when there are none', async () => {
    const byField = [{ field: `${subject}.names.0`, type: 'equal', typeValue: 'variable', value: `${subject}.name` }];
    expect(await decides({ filters: byField })).toBe('passes');
    const none = [{ field: 'type', type: 'in', typeValue: 'value', value: 'x, y' }];
    expect(await decides({ filters: none })).toMatch(/^Source document not found/);
    expect(await decides({ filters: [{ field: 'type', type: 'like', value: 'limit' }] })).toMatch(/^Source document/);
    expect(await decides({ filters: limits, dbCollection: 'Other' })).toMatch(/^Source document not found/);
  });

  it('reports unknown values', async () => {
    const validations = [{ dbCollection: 'Other', filters: [{ type: 'like' }], conditions: [{ type: 'near' }] }];
    const bench = blockBench(requestValidationAddon, { options: { validations } });
    const unknownValues = (await bench.findings())
      .map(({ message }) => /has the unknown value "(\w+)"/.exec(message)?.[1])
      .filter(Boolean);
    expect(unknownValues).toEqual(['Other', 'like', 'near']);
  });
});

it('selectiveAttributes shows only its attributes of the rows of its source', async () => {
  const documents = [
    credential('a', ANN.did, {}, { option: { status: 'New', secret: 1, deep: { shown: 1, hidden: 2 } } }),
  ];
  const attributes = ['option.status', 'deep.shown', 'missing'].map((attributePath) => ({ attributePath }));
  const addon = { blockType: 'selectiveAttributes', tag: 'some', attributes };
  const other = { ...ownRows, tag: 'all', onlyOwnDocuments: false };
  const bench = blockBench(interfaceDocumentsSourceBlock, {
    blocks: [selectiveAttributes],
    documents: [...documents, credential('c', BOB.did, {}, { option: { secret: 2 } })],
    children: [{ ...ownRows, children: [addon] }, other],
  });
  const { data } = (await bench.as(ANN).read()) as { data: JsonObject[] };
  expect(data.map(({ option }) => option)).toEqual([
    { status: 'New', deep: { shown: 1 } },
    { status: 'NEW', secret: 2 },
  ]);
  expect((await bench.documents())[0]?.option).toHaveProperty('secret');
});

it('selectiveAttributes hides a status without another one in its place', async () => {
  const addon = { blockType: 'selectiveAttributes', tag: 'some', attributes: [{ attributePath: 'note' }] };
  const bench = blockBench(interfaceDocumentsSourceBlock, {
    blocks: [selectiveAttributes],
    documents: [credential('a', ANN.did, {}, { option: { status: 'Approved', note: 'shown' } })],
    children: [{ ...ownRows, children: [addon] }],
  });
  expect(await bench.as(ANN).read()).toMatchObject({ data: [{ option: { note: 'shown' } }] });
  expect(await bench.as(ANN).read()).not.toHaveProperty('data.0.option.status');
});
