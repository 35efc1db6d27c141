import type { DocumentInput, DocumentRecord, Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { revokeBlock } from './revoke.js';
import { sendToGuardianBlock } from './send-to-guardian.js';

const revoking = (uiMetaData: JsonObject = {}): BlockBench =>
  blockBench(revokeBlock, {
    roles: ['Farmer'],
    blocks: [sendToGuardianBlock],
    options: { uiMetaData },
    parent: {
      blockType: 'interfaceContainerBlock',
      children: [
        { blockType: 'sendToGuardianBlock', tag: 'publish', dataSource: 'auto', stopPropagation: true },
        { blockType: 'sendToGuardianBlock', tag: 'approve', dataType: 'approve', stopPropagation: true },
      ],
    },
  });

/** Publishes and stores a document that builds on others. */
async function published(bench: BlockBench, id: string, on: DocumentRecord[] = [], more: Partial<DocumentInput> = {}) {
  const { id: _id, messageId: _message, ...document } = credential(id, BOB.did, {}, more);
  const relationships = on.map(({ messageId }) => messageId ?? '');
  await bench
    .as(BOB)
    .at('publish')
    .event('RunEvent', { ...document, relationships } as unknown as Json);
  return (await bench.documents()).at(-1)!;
}

const run = (bench: BlockBench, data: unknown): Promise<void> => bench.as(ANN).event('RunEvent', data as Json);
const revoked = (bench: BlockBench): unknown[] =>
  (sent(bench).flat() as unknown as DocumentInput[]).map(({ document, option, comment }) => [
    document.id,
    option?.status,
    comment,
  ]);

const presentation = { document: { id: 'urn:vp', type: ['VerifiablePresentation'], holder: BOB.did } };

describe('revoking', () => {
  it('takes everything along that builds on the document, and nothing else', async () => {
    const bench = revoking();
    const before = await published(bench, 'before');
    const a = await published(bench, 'a', [before], { option: { status: 'Approved', kept: 1 } });
    const b = await published(bench, 'b', [a]);
    await published(bench, 'c', [b], presentation);
    await published(bench, 'other', [before]);
    await run(bench, { ...a, comment: 'a mistake' });
    expect(revoked(bench)).toEqual([
      ['urn:a', 'Revoked', 'a mistake'],
      ['urn:b', 'Revoked', 'a mistake'],
      ['urn:vp', 'Revoked', 'a mistake'],
    ]);
    expect((sent(bench)[0] as unknown as DocumentRecord[])[0]).toMatchObject({ id: a.id, option: { kept: 1 } });
    expect(bench.emitted.map(({ output }) => output)).toEqual(['RunEvent', 'ReleaseEvent']);
    expect((await bench.documents()).some(({ option }) => option.status === 'Revoked')).toBe(false);
  });

  it('appends the last comment to those of each document', async () => {
    const bench = revoking();
    const a = await published(bench, 'a', [], { option: { comment: ['good'] } });
    await published(bench, 'b', [a]);
    await run(bench, { ...a, option: { ...a.option, comment: ['good', 'a mistake'] } });
    expect(
      (sent(bench)[0] as unknown as DocumentRecord[]).map(({ option, comment }) => [option.comment, comment]),
    ).toEqual([
      [['good', 'a mistake'], 'a mistake'],
      [['a mistake'], 'a mistake'],
    ]);
  });

  it('says so on the ledger, for each of them, with the reason', async () => {
    const bench = revoking();
    const a = await published(bench, 'a');
    const b = await published(bench, 'b', [a]);
    await run(bench, { ...a, comment: 'a mistake' });
    const { engine, policyId } = await bench.open();
    const messages = (await engine.program.ledger.listMessages(policyId)).filter(({ type }) => type === 'revoke');
    expect(messages.map(({ body, owner, relationships }) => [body, owner, relationships])).toEqual([
      [{ revoke: a.messageId, parents: [], reason: 'a mistake' }, ANN.did, []],
      [{ revoke: b.messageId, parents: [a.messageId], reason: 'a mistake' }, ANN.did, []],
    ]);
  });

  it('gives the document that it was made from another status', async () => {
    const bench = revoking({ updatePrevDoc: true, prevDocStatus: 'Waiting' });
    const before = await published(bench, 'before', [], { option: { status: 'Approved' } });
    const a = await published(bench, 'a', [before]);
    await run(bench, a);
    expect(await bench.documents()).toMatchObject([{ id: before.id, option: { status: 'Waiting' } }, { id: a.id }]);
  });

  it('revokes a document alone that never came to the ledger', async () => {
    const bench = revoking();
    await run(bench, { ...credential('a', ANN.did), messageId: null });
    expect(revoked(bench)).toEqual([['urn:a', 'Revoked', undefined]]);
  });

  it('is done once', async () => {
    const bench = revoking();
    const a = await published(bench, 'a', [], { option: { status: 'Revoked' } });
    await expect(run(bench, a)).rejects.toThrow('already revoked');
    const b = await published(bench, 'b');
    await published(bench, 'c', [b], { option: { status: 'Revoked' } });
    await run(bench, b);
    expect(revoked(bench)).toEqual([['urn:b', 'Revoked', undefined]]);
  });

  it('leaves the approvals of a document as they are, though they carry its message', async () => {
    const bench = revoking();
    const a = await published(bench, 'a');
    const b = await published(bench, 'b', [a]);
    const approval = { ...credential('approval', ANN.did), messageId: b.messageId ?? null };
    await bench
      .as(ANN)
      .at('approve')
      .event('RunEvent', approval as unknown as Json);
    expect((await bench.documents()).at(-1)).toMatchObject({ dataType: 'approve', messageId: b.messageId });
    await run(bench, a);
    expect(revoked(bench)).toEqual([
      ['urn:a', 'Revoked', undefined],
      ['urn:b', 'Revoked', undefined],
    ]);
  });

  it('revokes each document of a list once', async () => {
    const bench = revoking();
    const a = await published(bench, 'a');
    const b = await published(bench, 'b', [a]);
    await run(bench, [a, b]);
    expect(revoked(bench)).toHaveLength(2);
  });

  it('fails without a document, and is found to be wrong without a status for the previous one', async () => {
    await expect(run(revoking(), [])).rejects.toThrow('no document');
    expect(await revoking({ updatePrevDoc: true }).findings()).toContainEqual(
      expect.objectContaining({ code: 'OPTIONS_INVALID', path: expect.stringMatching(/prevDocStatus$/) as unknown }),
    );
  });
});
