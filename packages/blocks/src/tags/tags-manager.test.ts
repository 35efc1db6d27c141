import type { DocumentInput, JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench, type BlockSession } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential } from '../../test/documents.js';
import { tagsManager, TAGS_AT_MOST } from './tags-manager.js';

const NOTE = '#44444444-4444-4444-8444-444444444444&1.0.0';
const schema = (iri: string, more: JsonObject): JsonObject => ({
  iri,
  name: 'Note',
  status: 'PUBLISHED',
  document: { $id: iri, properties: { type: { type: 'string' }, text: { type: 'string' } }, required: ['text'] },
  ...more,
});
const schemas = [
  schema(NOTE, { entity: 'TAG' }),
  schema('#draft', { category: 'TAG', status: 'DRAFT' }),
  schema('#other', { entity: 'VC' }),
];

const bench = (documents: DocumentInput[] = [credential('a', ANN.did), credential('b', BOB.did)]): BlockBench =>
  blockBench(tagsManager, {
    roles: ['Farmer'],
    options: { permissions: ['ANY_ROLE'], tag: 'tags' },
    policy: { schemas },
    parent: {
      blockType: 'interfaceDocumentsSourceBlock',
      tag: 'grid',
      permissions: ['ANY_ROLE'],
      children: [{ blockType: 'documentsSourceAddon', tag: 'own', dataType: 'vc-documents', onlyOwnDocuments: true }],
    },
    documents,
  });
const create = (session: BlockSession, localTarget: string, tag: JsonObject = {}) =>
  session.send({
    operation: 'create',
    tag: { name: 'Odd', description: 'Look again', localTarget, ...tag },
  }) as Promise<JsonObject>;
const tagsOf = async (session: BlockSession): Promise<JsonObject[]> => {
  const { data } = (await session.at('grid').read()) as { data: { id: string; blocks: Record<string, JsonObject> }[] };
  return data.map(({ id, blocks }) => ({ ...Object.values(blocks)[0], id }));
};
const invalid = (reason: string) => ({ code: 'INPUT_INVALID', message: expect.stringContaining(reason) as string });

describe('tagsManager', () => {
  it('puts a tag on a row, which says who made it and when', async () => {
    const { messageId: _message, ...unpublished } = credential('a', ANN.did);
    const ann = bench([unpublished]).as(ANN);
    expect(await tagsOf(ann)).toMatchObject([
      { id: 'a', tags: { entity: 'PolicyDocument', target: 'a', owner: ANN.did, tags: [] } },
    ]);
    const tag = await create(ann, 'a');
    expect(tag).toMatchObject({
      ...{ name: 'Odd', description: 'Look again', owner: ANN.did, entity: 'PolicyDocument', operation: 'Create' },
      ...{ localTarget: 'a', target: null, status: 'Draft', messageId: null, document: null },
    });
    expect(await tagsOf(ann)).toMatchObject([
      { blockType: 'tagsManager', tags: { refreshDate: tag.date, tags: [tag] } },
    ]);
  });

  it('publishes tags on published documents beside them, and says so when they are gone', async () => {
    const block = bench();
    const tag = await create(block.as(ANN), 'a');
    expect(tag).toMatchObject({
      target: '1.a',
      status: 'Published',
      messageId: expect.stringMatching(/^\d+\.\d{9}$/),
    });
    await block.as(ANN).send({ operation: 'delete', uuid: tag.uuid });
    expect(await tagsOf(block.as(ANN))).toMatchObject([{ tags: { tags: [] } }]);
    const { engine, policyId } = await block.open();
    const messages = (await engine.program.ledger.listMessages(policyId)).filter(({ type }) => type === 'tag');
    expect(messages.map(({ body }) => (body as JsonObject).operation)).toEqual(['Create', 'Delete']);
  });

  it('lets nobody tag, read or take away what is not theirs', async () => {
    const block = bench();
    const tag = await create(block.as(ANN), 'a');
    const bob = block.as(BOB);
    await expect(create(bob, 'a')).rejects.toMatchObject(invalid('Invalid target'));
    await expect(bob.send({ operation: 'synchronization', target: 'a' })).rejects.toMatchObject(
      invalid('Invalid target'),
    );
    await expect(bob.send({ operation: 'delete', uuid: tag.uuid })).rejects.toMatchObject(invalid('Invalid tag'));
    expect(await bob.send({ operation: 'search', targets: ['a', 'b'] })).toEqual([]);
    expect(await block.as(ANN).send({ operation: 'search', targets: ['a', 'a', 'b'] })).toEqual([tag]);
    expect(await block.as(ANN).send({ operation: 'synchronization', target: 'a' })).toMatchObject({ tags: [tag] });
  });

  it('signs the document of a tag, if it is of a published schema for tags', async () => {
    const block = bench();
    expect(await block.as(ANN).read()).toMatchObject({
      tagSchemas: [{ iri: NOTE, fields: [{ name: 'type' }, { name: 'text' }] }],
    });
    const tag = await create(block.as(ANN), 'a', { document: { type: NOTE.slice(1), text: 'x' } });
    expect(tag.document).toMatchObject({
      issuer: { id: ANN.did, group: ANN.group },
      credentialSubject: [{ text: 'x' }],
      proof: {},
    });
    const document = (more: JsonObject) => create(block.as(ANN), 'a', { document: { type: NOTE.slice(1), ...more } });
    await expect(document({ type: 'other' })).rejects.toMatchObject(invalid('no schema for tags'));
    await expect(document({})).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(document({ text: 'x'.repeat(20_001) })).rejects.toMatchObject(invalid('20000 characters'));
  });

  it.each<[string, unknown]>([
    ['an unknown operation', { operation: 'explode' }],
    ['a tag without a name', { operation: 'create', tag: { name: ' ', localTarget: 'a' } }],
    ['too many targets', { operation: 'search', targets: Array.from({ length: 101 }, String) }],
  ])('refuses %s', async (_, data) => {
    await expect(bench().as(ANN).send(data)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('keeps a number of tags on each document', async () => {
    const ann = bench().as(ANN);
    for (let count = 0; count < TAGS_AT_MOST; count += 1) await create(ann, 'a');
    await expect(create(ann, 'a')).rejects.toMatchObject(invalid(`${String(TAGS_AT_MOST)} at most`));
  });

  it('is found wanting where it is in no grid', async () => {
    const findings = await blockBench(tagsManager, {}).findings();
    expect(findings).toMatchObject([{ severity: 'error', message: expect.stringContaining('tagsManager') as string }]);
  });
});
