import type { DocumentInput, DocumentRecord, Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { documentBlocks } from '../documents/index.js';
import { revocationBlock } from './revocation-block.js';

const block = (tag: string, more: JsonObject) => ({
  blockType: 'sendToGuardianBlock',
  tag,
  stopPropagation: true,
  ...more,
});

const revoking = (options: JsonObject = {}): BlockBench =>
  blockBench(revocationBlock, {
    roles: ['Farmer'],
    blocks: documentBlocks,
    options,
    policy: { policyTopics: [{ name: 'Projects', static: true, type: 'any' }] },
    parent: {
      blockType: 'interfaceContainerBlock',
      children: [
        block('publish', { dataSource: 'auto' }),
        block('publish_project', { dataSource: 'auto', topic: 'Projects' }),
        block('store', { dataSource: 'database' }),
        block('ask', { dataType: 'approve' }),
      ],
    },
  });

/** Publishes and stores a document that builds on others. */
async function published(
  bench: BlockBench,
  id: string,
  { on = [], more = {}, by = 'publish' }: { on?: DocumentRecord[]; more?: Partial<DocumentInput>; by?: string } = {},
): Promise<DocumentRecord> {
  const { id: _id, messageId: _message, ...document } = credential(id, BOB.did, {}, more);
  const relationships = on.map(({ messageId }) => messageId ?? '');
  await bench
    .as(BOB)
    .at(by)
    .event('RunEvent', { ...document, relationships } as unknown as Json);
  return (await bench.documents()).at(-1)!;
}

const run = (bench: BlockBench, data: unknown): Promise<void> => bench.as(ANN).event('RunEvent', data as Json);

const revoked = (bench: BlockBench): unknown[] =>
  (sent(bench).flat() as unknown as DocumentInput[]).map(({ document, option }) => [
    document.id,
    option?.status,
    option?.comment,
  ]);

async function revocations(bench: BlockBench) {
  const { engine, policyId } = await bench.open();
  return (await engine.program.ledger.listMessages(policyId)).filter(({ type }) => type === 'revoke');
}

const because = (document: DocumentRecord, comment: Json) => ({
  ...document,
  option: { ...document.option, comment },
});

describe('a revocation', () => {
  it('takes everything along that builds on the document, and nothing else, and stores nothing', async () => {
    const bench = revoking();
    const before = await published(bench, 'before');
    const a = await published(bench, 'a', { on: [before], more: { option: { status: 'Approved', kept: 1 } } });
    const presentation = { document: { id: 'urn:vp', type: ['VerifiablePresentation'], holder: BOB.did } };
    await published(bench, 'vp', { on: [a], more: presentation });
    await published(bench, 'b', { on: [a] });
    await published(bench, 'other', { on: [before] });
    await run(bench, because(a, ['fine', 'a mistake']));
    expect(revoked(bench)).toEqual([
      ['urn:a', 'Revoked', ['a mistake']],
      ['urn:b', 'Revoked', ['a mistake']],
      ['urn:vp', 'Revoked', ['a mistake']],
    ]);
    expect((sent(bench)[0] as unknown as DocumentRecord[])[0]).toMatchObject({ id: a.id, option: { kept: 1 } });
    expect(bench.emitted.map(({ output }) => output)).toEqual(['RunEvent', 'ReleaseEvent']);
    expect((await bench.documents()).some(({ option }) => option.status === 'Revoked')).toBe(false);
  });

  it('is announced for each message in its own topic, with the parents through which it was reached', async () => {
    const bench = revoking();
    const a = await published(bench, 'a', { by: 'publish_project' });
    const b = await published(bench, 'b', { on: [a] });
    const c = await published(bench, 'c', { on: [a, b], by: 'publish_project' });
    await run(bench, because(a, 'a mistake'));
    const facts = { status: 'REVOKE', action: 'revoke-document', type: 'vc-document', revokeMessage: 'a mistake' };
    const child = { ...facts, reason: 'Parent Revoked' };
    expect((await revocations(bench)).map(({ topicId, owner, body }) => [topicId, owner, body])).toEqual([
      [a.topicId, ANN.did, { ...facts, id: 'urn:a', reason: 'Document Revoked', revoke: a.messageId, parentIds: [] }],
      [b.topicId, ANN.did, { ...child, id: 'urn:b', revoke: b.messageId, parentIds: [a.messageId] }],
      [c.topicId, ANN.did, { ...child, id: 'urn:c', revoke: c.messageId, parentIds: [a.messageId, b.messageId] }],
    ]);
    expect(a.topicId).not.toBe(b.topicId);
  });

  it('leaves what waits for approval alone, although it bears the message of a revoked document', async () => {
    const bench = revoking({ updatePrevDoc: true, prevDocStatus: 'Waiting' });
    const before = await published(bench, 'before');
    const a = await published(bench, 'a', { on: [before] });
    for (const { id: _id, ...document } of [before, a]) {
      await bench
        .as(BOB)
        .at('ask')
        .event('RunEvent', document as unknown as Json);
    }
    await run(bench, a);
    expect(revoked(bench)).toEqual([['urn:a', 'Revoked', undefined]]);
    const statuses = (await bench.documents()).map(({ dataType, option }) => [dataType, option.status]);
    expect(statuses).toEqual([
      ['vc-documents', 'Waiting'],
      ['vc-documents', undefined],
      ['approve', 'NEW'],
      ['approve', 'NEW'],
    ]);
  });

  it('adds its reason to the comments of each document, whatever form they have', async () => {
    const bench = revoking();
    const a = await published(bench, 'a', { more: { option: { comment: 'first' } } });
    await published(bench, 'b', { on: [a], more: { option: { comment: ['x', 'why'] } } });
    await published(bench, 'c', { on: [a] });
    await run(bench, because(a, 'why'));
    expect(revoked(bench).map((each) => (each as Json[])[2])).toEqual([['first', 'why'], ['x', 'why'], ['why']]);
  });

  it('invents no comment where no reason was given', async () => {
    const bench = revoking();
    const a = await published(bench, 'a');
    await run(bench, a);
    expect(revoked(bench)).toEqual([['urn:a', 'Revoked', undefined]]);
  });

  it('returns the document that the revoked one was made from to its earlier status', async () => {
    const bench = revoking({ updatePrevDoc: true, prevDocStatus: 'Waiting' });
    const before = await published(bench, 'before', { more: { option: { status: 'Approved' } } });
    const a = await published(bench, 'a', { on: [before] });
    await run(bench, a);
    expect(await bench.documents()).toMatchObject([{ id: before.id, option: { status: 'Waiting' } }, { id: a.id }]);
  });

  it('leaves the earlier document alone unless the policy asks for it', async () => {
    const bench = revoking({ prevDocStatus: 'Waiting' });
    const before = await published(bench, 'before', { more: { option: { status: 'Approved' } } });
    await run(bench, await published(bench, 'a', { on: [before] }));
    expect((await bench.documents())[0]).toMatchObject({ option: { status: 'Approved' } });
  });

  it('revokes a document alone that never came to the ledger', async () => {
    const bench = revoking();
    await run(bench, { ...credential('a', ANN.did), messageId: null });
    expect(revoked(bench)).toEqual([['urn:a', 'Revoked', undefined]]);
    expect(await revocations(bench)).toEqual([]);
  });

  it('is announced once for each message, however often it is asked for', async () => {
    const bench = revoking();
    const a = await published(bench, 'a');
    const b = await published(bench, 'b', { on: [a] });
    await run(bench, b);
    await run(bench, a);
    expect((await revocations(bench)).map(({ body }) => (body as JsonObject)['revoke'])).toEqual([
      b.messageId,
      a.messageId,
    ]);
    expect(revoked(bench).map((each) => (each as Json[])[0])).toEqual(['urn:b', 'urn:a']);
    await expect(run(bench, a)).rejects.toThrow('already revoked');
  });

  it('goes by the ledger: a status that another block wrote does not stop it', async () => {
    const bench = revoking();
    const a = await published(bench, 'a', { more: { option: { status: 'Revoked' } } });
    await run(bench, a);
    expect(await revocations(bench)).toHaveLength(1);
  });

  it('takes each document of a list once', async () => {
    const bench = revoking();
    const a = await published(bench, 'a');
    const b = await published(bench, 'b', { on: [a] });
    await run(bench, [a, b]);
    expect(revoked(bench)).toHaveLength(2);
    expect(await revocations(bench)).toHaveLength(2);
  });

  it('fails without a document', async () => {
    await expect(run(revoking(), [])).rejects.toThrow('no document');
  });

  it('is found to be wrong without a status for the previous document', async () => {
    expect(await revoking({ updatePrevDoc: true }).findings()).toContainEqual(
      expect.objectContaining({ code: 'OPTIONS_INVALID', path: expect.stringMatching(/prevDocStatus$/) as unknown }),
    );
  });
});
