import { informationBlock, type JsonObject } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { blockBench, type BenchSetup, type BlockBench } from '@blockwork/testing';
import { ANN, BOB, stored } from '../../test/farm-form.js';
import { FARM, schemas } from '../../test/farm-schemas.js';
import { sendToGuardianBlock } from '../documents/index.js';
import { requestVcDocumentBlock } from './index.js';

const send = (tag: string) => ({
  blockType: 'sendToGuardianBlock',
  tag,
  dataSource: 'database',
  stopPropagation: true,
});
const link = (output: string, target: string) => ({ source: 'block', output, target, input: 'RunEvent', actor: '' });

/** A grid of the newest versions that opens the form from its rows, and where what is filled in is kept. */
const form = (options: JsonObject, setup: BenchSetup = {}): BlockBench =>
  blockBench(requestVcDocumentBlock, {
    roles: ['Farmer'],
    blocks: [sendToGuardianBlock],
    policy: { schemas },
    ...setup,
    options: {
      schema: FARM,
      idType: 'UUID',
      events: [link('RunEvent', 'save'), link('DraftEvent', 'save')],
      ...options,
    },
    parent: {
      blockType: 'interfaceContainerBlock',
      tag: 'page',
      children: [
        {
          blockType: 'interfaceDocumentsSourceBlock',
          tag: 'grid',
          uiMetaData: { fields: [{ bindBlock: 'block' }] },
          children: [
            { blockType: 'documentsSourceAddon', tag: 'rows', dataType: 'vc-documents', hidePreviousVersions: true },
            { blockType: 'historyAddon', tag: 'history' },
          ],
        },
        send('save'),
      ],
    },
  });
const shownIn = async (bench: BlockBench) => ((await bench.as(ANN).at('grid').read()) as { data: JsonObject[] }).data;

describe('a form that edits', () => {
  const first = stored('a', BOB.did, { name: 'Old', ref: 'urn:project' }, { option: { status: 'Approved' } });
  const editing = () => form({ editType: 'edit' }, { documents: [first, stored('other', BOB.did)] });

  it('makes the next version of its document: about the same subject, of the same owner, signed by whoever edits', async () => {
    const bench = editing();
    await bench.as(ANN).send({ document: { name: 'New' }, ref: { id: 'a' } });
    const [old, , newVersion] = await bench.documents();
    expect(old).toMatchObject({ id: 'a', edited: true });
    expect(newVersion).toMatchObject({
      owner: BOB.did,
      previousVersion: 'a',
      startMessageId: '1.a',
      relationships: ['1.a'],
      option: {},
      document: { issuer: ANN.did, credentialSubject: [{ id: 'urn:subject:a', name: 'New', ref: 'urn:project' }] },
    });
    expect(bench.emitted.map(({ output }) => output)).toContain('ReferenceEvent');
  });

  it('leaves only the new version in sources that hide previous ones, with the history of all', async () => {
    const bench = editing();
    await bench.as(ANN).send({ document: { name: 'New' }, ref: { id: 'a' } });
    const rows = await shownIn(bench);
    expect(rows.map(({ previousVersion }) => previousVersion)).toEqual([undefined, 'a']);
    const history = rows[1]?.history as JsonObject[];
    expect(history.map(({ status }) => status)).toEqual([null, 'Approved']);
  });

  it('edits what the user is offered or owns, once, and never makes a version of nothing', async () => {
    const bench = editing();
    const edit = (ref: string | null) => bench.as(ANN).send({ document: { name: 'New' }, ref: ref && { id: ref } });
    await edit('a');
    await expect(edit('a')).rejects.toMatchObject({ code: 'REFERENCE_UNKNOWN' });
    await expect(bench.as(BOB).send({ document: { name: 'X' }, ref: { id: 'a' } })).rejects.toMatchObject({
      code: 'DOCUMENT_REFUSED',
      message: expect.stringContaining('Outdated version') as string,
    });
    await expect(edit(null)).rejects.toMatchObject({ code: 'REFERENCE_UNKNOWN' });
    expect(await bench.documents()).toHaveLength(3);
  });

  it('otherwise makes a document of its own', async () => {
    const bench = form({ editType: 'new' }, { documents: [first] });
    await bench.as(ANN).send({ document: { name: 'New' }, ref: { id: 'a' } });
    const [old, newDocument] = await bench.documents();
    expect(old).not.toHaveProperty('edited');
    expect(newDocument).toMatchObject({ owner: ANN.did, document: { credentialSubject: [{ ref: 'urn:subject:a' }] } });
    expect(newDocument).not.toHaveProperty('previousVersion');
  });
});

describe('a draft', () => {
  it('is kept as it is, unsigned and unchecked, and runs nothing else', async () => {
    const bench = form({});
    const answer = await bench.as(ANN).send({ document: { area: 'big' }, draft: true });
    expect(answer).toMatchObject({ draft: true, owner: ANN.did, schema: FARM, signature: 0 });
    expect(answer).not.toHaveProperty('document.proof');
    expect(await bench.documents()).toMatchObject([
      { draft: true, document: { credentialSubject: [{ area: 'big' }] } },
    ]);
    expect(bench.emitted.map(({ output }) => output)).toEqual(['DraftEvent', 'RefreshEvent']);
  });

  it('is replaced by its next state, and goes when the form is complete', async () => {
    const bench = form({});
    await bench.as(ANN).send({ document: { area: 'big' }, draft: true });
    const [{ id: draftId } = { id: '' }] = await bench.documents();
    await bench.as(ANN).send({ document: { area: 2 }, draft: true, draftId });
    expect(await bench.documents()).toMatchObject([{ id: draftId, document: { credentialSubject: [{ area: 2 }] } }]);
    await bench.as(ANN).send({ document: { name: 'North', area: 2 }, draftId });
    const documents = await bench.documents();
    expect(documents).toHaveLength(1);
    expect(documents[0]).not.toHaveProperty('draft');
    expect(documents[0]).toMatchObject({ document: { credentialSubject: [{ name: 'North' }], proof: {} } });
  });

  it('belongs to whoever filled it in', async () => {
    const bench = form({}, { documents: [stored('a', ANN.did)] });
    await bench.as(ANN).send({ document: {}, draft: true });
    const draft = (await bench.documents()).find((each) => each.draft === true);
    for (const [user, draftId] of [
      [BOB, draft?.id],
      [ANN, 'a'],
      [ANN, 'nothing'],
    ] as const) {
      await expect(bench.as(user).send({ document: { name: 'X' }, draftId })).rejects.toMatchObject({
        code: 'DOCUMENT_UNKNOWN',
      });
    }
    expect(await bench.documents()).toHaveLength(2);
  });

  it('is refused by a form without a link for drafts', async () => {
    const asking = { blockType: 'requestVcDocumentBlock', tag: 'form', schema: FARM };
    const bench = blockBench(informationBlock, {
      blocks: [requestVcDocumentBlock],
      policy: { schemas },
      parent: { blockType: 'interfaceContainerBlock', children: [asking] },
    });
    const post = bench.as(ANN).at('form').send({ document: {}, draft: true });
    await expect(post).rejects.toMatchObject({ code: 'DRAFT_UNSUPPORTED' });
  });
});
