import type { JsonObject } from '@blockwork/core/block';
import { gridWith, type BenchSetup } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, farm, form, stored, ran, subjectsOf } from '../../test/farm-form.js';
import { READING } from '../../test/farm-schemas.js';

describe('a reference', () => {
  const tied = { account: '0.0.5', default: '0.0.6' };
  const mine = stored('a', ANN.did, {}, { accounts: tied, tokens: { credit: '0.0.9' } });

  it('ties the new document to the other one', async () => {
    for (const ref of ['urn:subject:a', { id: 'a' }, { id: 'urn:subject:a' }, { ...mine }]) {
      const bench = form({}, { documents: [mine] });
      await bench.as(ANN).send({ document: farm, ref });
      expect(subjectsOf(bench)).toMatchObject([{ ref: 'urn:subject:a' }]);
      expect(ran(bench)[0]).toMatchObject({ relationships: ['1.a'], tokens: { credit: '0.0.9' } });
      expect(ran(bench)[0]?.accounts).toMatchObject({ account: '0.0.5' });
      expect((ran(bench)[0]?.accounts as JsonObject).default).not.toBe('0.0.6');
    }
  });

  it('may lead to what the user sees in a grid, and to no other document of somebody else', async () => {
    const documents = [stored('shown', BOB.did), stored('hidden', BOB.did, {}, { type: 'secret' })];
    const grid = gridWith([], { tag: 'list' });
    const source = { ...grid.children?.[0], filters: [{ type: 'equal', field: 'type', value: 'farm' }] };
    const parent = {
      blockType: 'interfaceContainerBlock',
      children: [{ ...grid, children: [{ blockType: 'documentsSourceAddon', tag: 'source', ...source }] }],
    };
    const bench = form({}, { parent, documents });
    await bench.as(ANN).send({ document: farm, ref: { id: 'shown' } });
    expect(ran(bench)).toHaveLength(1);
    for (const ref of [{ id: 'hidden' }, 'urn:subject:hidden', { id: 'none' }, 'urn:none', { document: {} }, [], 5]) {
      await expect(bench.as(ANN).send({ document: farm, ref })).rejects.toThrow('Invalid relationships');
    }
    expect(ran(bench)).toHaveLength(1);
  });

  it('may lead to a document of the own group, or one assigned to the user or the group, and to no other', async () => {
    const documents = [
      stored('group', BOB.did, {}, { group: ANN.group }),
      stored('assigned', BOB.did, {}, { assignedTo: ANN.did }),
      stored('assigned to group', BOB.did, {}, { assignedToGroup: ANN.group }),
      stored('other group', BOB.did, {}, { group: BOB.group }),
      stored('other assigned', BOB.did, {}, { assignedTo: 'did:test:eve', assignedToGroup: BOB.group }),
    ];
    const bench = form({}, { documents });
    for (const id of ['group', 'assigned', 'assigned to group']) {
      await bench.as(ANN).send({ document: farm, ref: { id } });
    }
    expect(ran(bench).map(({ relationships }) => relationships)).toEqual([
      ['1.group'],
      ['1.assigned'],
      ['1.assigned to group'],
    ]);
    for (const id of ['other group', 'other assigned']) {
      await expect(bench.as(ANN).send({ document: farm, ref: { id } })).rejects.toThrow('Invalid relationships');
    }
    expect(ran(bench)).toHaveLength(3);
  });

  it('leads to nothing in a grid that is not open to the user', async () => {
    const parent = {
      blockType: 'interfaceContainerBlock',
      children: [{ ...gridWith([stored('b', BOB.did)], { tag: 'list', permissions: ['OWNER'] }) }],
    };
    const bench = form({}, { parent });
    await expect(bench.as(ANN).send({ document: farm, ref: { id: 'b' } })).rejects.toThrow('Invalid relationships');
  });

  it('prefers the one that is open, of several documents about one subject', async () => {
    const other = stored('b', BOB.did, { id: 'urn:subject:a' });
    const bench = form({}, { documents: [other, mine] });
    await bench.as(ANN).send({ document: farm, ref: 'urn:subject:a' });
    expect(ran(bench)[0]).toMatchObject({ relationships: ['1.a'] });
  });

  it('is not kept where the other document never came to the ledger', async () => {
    const bench = form({}, { documents: [stored('a', ANN.did, {}, { messageId: null })] });
    await bench.as(ANN).send({ document: farm, ref: { id: 'a' } });
    expect(ran(bench)[0]).toMatchObject({ relationships: [] });
  });

  it('is refused by a form whose schema has no place for it', async () => {
    const bench = form({ schema: READING }, { documents: [mine] });
    await expect(bench.as(ANN).send({ document: { value: 1 }, ref: { id: 'a' } })).rejects.toMatchObject({
      details: [{ path: '/ref', message: 'is not known here' }],
    });
    await bench.as(ANN).send({ document: { value: 1 }, ref: null });
    expect(ran(bench)).toHaveLength(1);
  });
});

describe('fields that come filled in', () => {
  const options = {
    presetFields: [
      { name: 'name', value: 'name', readonly: true },
      { name: 'area', value: 'area', readonly: false },
    ],
  };
  const documents = [stored('a', ANN.did, { name: 'North field', area: 1 })];

  it('must stay as they are in the document referred to, where they are read-only', async () => {
    const bench = form(options, { documents });
    await expect(bench.as(ANN).send({ document: { name: 'South', area: 2 }, ref: { id: 'a' } })).rejects.toThrow(
      'Readonly preset field (name) can not be modified.',
    );
    await bench.as(ANN).send({ document: { name: 'North field', area: 2 }, ref: { id: 'a' } });
    expect(ran(bench)).toHaveLength(1);
  });

  it('cannot be had otherwise by leaving the reference out', async () => {
    const source = { blockType: 'documentsSourceAddon', tag: 'mine', dataType: 'vc-documents', onlyOwnDocuments: true };
    const own = form(options, { documents, children: [source] });
    await expect(own.as(ANN).send({ document: { name: 'South' } })).rejects.toThrow('can not be modified');
    const uiMetaData = { fields: [{ bindBlock: 'block' }] };
    const parent = { blockType: 'interfaceContainerBlock', children: [{ ...gridWith(documents), uiMetaData }] };
    const ofRows = form(options, { parent });
    await expect(ofRows.as(ANN).send({ document: { name: 'South' } })).rejects.toThrow('Invalid relationships');
  });
});

describe('validators of a form', () => {
  const validator = (tag: string, more: JsonObject): BenchSetup => ({
    children: [{ blockType: 'documentValidatorBlock', tag, documentType: 'related-vc-document', ...more }],
  });
  const approved = { conditions: [{ type: 'equal', field: 'option.status', value: 'Approved' }] };

  it('judge the very document that is referred to', async () => {
    const documents = [
      stored('new', ANN.did, { id: 'urn:one' }, { option: { status: 'New' } }),
      stored('old', ANN.did, { id: 'urn:one' }, { option: { status: 'Approved' } }),
    ];
    const bench = form({}, { ...validator('approved', approved), documents });
    await expect(bench.as(ANN).send({ document: farm, ref: { id: 'new' } })).rejects.toThrow('Invalid document');
    await bench.as(ANN).send({ document: farm, ref: { id: 'old' } });
    expect(ran(bench)).toHaveLength(1);
  });

  it('speak first when the document is somebody else’s', async () => {
    const documents = [stored('b', BOB.did)];
    const bench = form({}, { ...validator('owner', { checkOwnerDocument: true }), documents });
    await expect(bench.as(ANN).send({ document: farm, ref: { id: 'b' } })).rejects.toThrow('Invalid owner');
    expect(bench.emitted).toEqual([]);
  });

  it('want a reference where they look at one', async () => {
    const bench = form({}, validator('approved', approved));
    await expect(bench.as(ANN).send({ document: farm })).rejects.toThrow('Document does not exist');
  });
});
