import type { LedgerMessage } from '@blockwork/core';
import type { DocumentInput, Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BenchSetup, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { sendToGuardianBlock } from './send-to-guardian.js';

const policyTopics = [
  { name: 'Project', static: false },
  { name: 'All', static: true },
];

const sender = (options: JsonObject, setup: BenchSetup = {}): BlockBench =>
  blockBench(sendToGuardianBlock, { roles: ['Farmer'], ...setup, options, policy: { policyTopics } });

const run = (bench: BlockBench, data: unknown): Promise<void> => bench.as(ANN).event('RunEvent', data as Json);

const fresh = (id: string, more: Partial<DocumentInput> = {}): DocumentInput => {
  const { id: _id, messageId: _message, ...rest } = credential(id, ANN.did, {}, more);
  return rest;
};

/** Messages that the sent documents stand for. */
const messagesOf = async (bench: BlockBench): Promise<LedgerMessage[]> => {
  const { engine, policyId } = await bench.open();
  return engine.program.ledger.listMessages(policyId);
};

describe('storing', () => {
  const stores: JsonObject[] = [
    { dataSource: 'database', dataType: '', documentType: 'vc' },
    { dataType: 'vc-documents' },
    // The options contradict each other: the older one wins.
    { dataType: 'vc-documents', dataSource: 'hedera' },
    { dataSource: 'database', documentType: 'document' },
  ];

  it.each(stores)('adds a document that is new, marked as the policy says: %j', async (where) => {
    const options = [
      { name: 'status', value: 'Waiting' },
      { name: 'round', value: 2 },
    ];
    const bench = sender({ ...where, entityType: 'application', options });
    await run(bench, fresh('a', { option: { from: 'form' } }));
    const [stored] = await bench.documents();
    expect(stored).toMatchObject({
      owner: ANN.did,
      dataType: 'vc-documents',
      type: 'application',
      tag: 'block',
      option: { from: 'form', status: 'Waiting', round: 2 },
    });
    expect(stored?.messageId).toBeUndefined();
    expect(sent(bench)).toEqual([JSON.parse(JSON.stringify(stored))]);
    expect(bench.emitted.map(({ output }) => output)).toEqual(['RunEvent', 'ReleaseEvent', 'RefreshEvent']);
  });

  it.each([
    [true, ['Waiting']],
    [false, ['Approved', 'Waiting']],
  ])('writes a changed status into the history unless the policy says not to: %s', async (skipSaveState, labels) => {
    const grid = {
      blockType: 'interfaceDocumentsSourceBlock',
      tag: 'grid',
      children: [
        { blockType: 'documentsSourceAddon', dataType: 'vc-documents' },
        { blockType: 'historyAddon', timelineLabelPath: 'option.status' },
      ],
    };
    const bench = sender(
      { dataSource: 'database', options: [{ name: 'status', value: 'Approved' }], skipSaveState },
      {
        parent: { blockType: 'interfaceContainerBlock', children: [grid] },
        documents: [credential('a', ANN.did, {}, { option: { status: 'Waiting' } })],
      },
    );
    const [document] = await bench.documents();
    await bench
      .as(ANN)
      .at('block')
      .event('RunEvent', { ...document, option: { status: 'Waiting' } } as unknown as Json);
    expect(await bench.documents()).toMatchObject([{ option: { status: 'Approved' } }]);
    const { data } = (await bench.as(ANN).at('grid').read()) as { data: { history: JsonObject[] }[] };
    expect(data[0]?.history.map(({ labelValue }) => labelValue)).toEqual(labels);
  });

  it('updates the row of the same credential, and remembers what it was', async () => {
    const bench = sender({ dataSource: 'database', options: [{ name: 'status', value: 'Approved' }] });
    await run(bench, fresh('a', { option: { status: 'New' } }));
    bench.clock.advance('1h');
    const [first] = await bench.documents();
    await run(bench, { ...fresh('a'), messageId: '9.9', assignedTo: BOB.did });
    const stored = await bench.documents();
    expect(stored).toHaveLength(1);
    expect(stored[0]).toMatchObject({
      id: first?.id,
      createDate: first?.createDate,
      messageId: '9.9',
      assignedTo: BOB.did,
    });
    expect(stored[0]?.updateDate).not.toBe(first?.updateDate);
  });

  it('updates also what is to be forced, and what was stored without a hash', async () => {
    const bench = sender({ dataSource: 'database', forceNew: true }, { documents: [credential('a', ANN.did)] });
    await run(bench, { ...credential('a', ANN.did), option: { status: 'Approved' } });
    await run(bench, { ...fresh('a'), option: { status: 'Minted' } });
    expect(await bench.documents()).toMatchObject([{ id: 'a', option: { status: 'Minted' } }]);
  });

  it('adds a row for what was signed anew, and leaves revoked rows alone', async () => {
    const revoked = credential('a', BOB.did, {}, { hederaStatus: 'REVOKE', hash: 'same' });
    const bench = sender({ dataSource: 'database' }, { documents: [revoked] });
    await run(bench, fresh('a', { hash: 'same' }));
    await run(bench, fresh('a', { hash: 'other' }));
    expect((await bench.documents()).map(({ id, owner }) => [id === 'a', owner])).toEqual([
      [true, BOB.did],
      [false, ANN.did],
      [false, ANN.did],
    ]);
  });

  it('does not let data of an event choose the row, its place or its dates', async () => {
    const bench = sender({ dataSource: 'database' }, { documents: [credential('a', BOB.did)] });
    const forged = {
      ...fresh('b'),
      id: 'a',
      policyId: 'x',
      dataType: 'approve',
      createDate: '2020-01-01T00:00:00.000Z',
    };
    await run(bench, forged);
    const [before, added] = await bench.documents();
    expect(before).toMatchObject({ id: 'a', owner: BOB.did });
    expect(added).toMatchObject({ dataType: 'vc-documents', createDate: '2026-01-01T00:00:00.000Z' });
    expect(added?.id).not.toBe('a');
    expect(added?.policyId).not.toBe('x');
  });

  it('keeps approvals beside credentials', async () => {
    const approvals = sender({ dataType: 'approve' });
    await run(approvals, fresh('a'));
    const [approval] = await approvals.documents();
    expect(approval).toMatchObject({ dataType: 'approve', option: { status: 'NEW' }, approver: 'did:bench:owner' });
    const credentials = sender(
      { dataType: 'vc-documents' },
      { documents: [{ ...(approval as DocumentInput), id: 'approval' }] },
    );
    await run(credentials, { ...approval, option: { status: 'APPROVED' } });
    expect((await credentials.documents()).map(({ dataType, option }) => [dataType, option.status])).toEqual([
      ['approve', 'NEW'],
      ['vc-documents', 'APPROVED'],
    ]);
  });

  it('puts each document of a list where it belongs, whatever the policy calls it', async () => {
    const presentation = {
      owner: ANN.did,
      document: { id: 'urn:p', type: ['VerifiablePresentation'], verifiableCredential: [] },
    };
    const identity = { owner: ANN.did, document: { id: 'did:x', verificationMethod: [] } };
    const bench = sender({ dataSource: 'database', documentType: 'vc' });
    await run(bench, [fresh('a'), presentation, identity]);
    await run(bench, [fresh('a'), presentation, identity]);
    expect((await bench.documents()).map(({ dataType }) => dataType)).toEqual([
      'vc-documents',
      'vp-documents',
      'did-documents',
    ]);
    expect(sent(bench)[0]).toHaveLength(3);
  });
});

describe('publishing', () => {
  it('makes a message that stands for the document, and stores nothing', async () => {
    const bench = sender({
      dataSource: 'hedera',
      topic: 'root',
      memo: 'for ${document.credentialSubject.0.id}${nothing}',
    });
    await run(bench, fresh('a', { relationships: ['1.0'] }));
    expect(await bench.documents()).toEqual([]);
    const [document] = sent(bench);
    const [message] = await messagesOf(bench);
    expect(document).toMatchObject({ hederaStatus: 'ISSUE', messageId: message?.id, topicId: message?.topicId });
    expect(message).toMatchObject({
      type: 'vc-document',
      owner: ANN.did,
      relationships: ['1.0'],
      memo: 'for urn:subject:a',
      hash: document?.hash,
    });
  });

  it.each([
    ['user', ANN.did],
    ['issuer', 'did:test:issuer'],
    ['root', 'did:bench:owner'],
    ['owner', BOB.did],
    ['', BOB.did],
  ])('uses the topic of whom the policy means: %j', async (topicOwner, owner) => {
    const bench = sender({ dataSource: 'hedera', topic: 'Project', topicOwner });
    const document = { ...fresh('a').document, issuer: 'did:test:issuer' };
    await run(bench, fresh('a', { owner: BOB.did, document }));
    const { engine, policyId } = await bench.open();
    const { items } = await engine.program.ledger.listEffects(policyId);
    expect(items).toContainEqual(expect.objectContaining({ type: 'create-topic', body: { name: 'Project', owner } }));
  });

  it('is not done twice where the policy leaves it to the block', async () => {
    const bench = sender({ dataSource: 'auto' });
    await run(bench, fresh('a'));
    await run(bench, sent(bench)[0]);
    expect(await messagesOf(bench)).toHaveLength(1);
    expect(await bench.documents()).toMatchObject([{ hederaStatus: 'ISSUE' }]);
  });

  it('goes to no topic that the policy does not have', async () => {
    await expect(run(sender({ dataSource: 'hedera', topic: 'Else' }), fresh('a'))).rejects.toMatchObject({
      code: 'BLOCK_MISCONFIGURED',
    });
  });
});

describe('a send block', () => {
  it('fails where it is told no place, and where it is given nothing', async () => {
    const nowhere = sender({ dataSource: 'moon' });
    await expect(run(nowhere, fresh('a'))).rejects.toThrow('dataSource "moon" is unknown');
    expect(await nowhere.findings()).toContainEqual(expect.objectContaining({ code: 'OPTIONS_INVALID' }));
    expect(await sender({}).findings()).toMatchObject([{ severity: 'warning', path: '/children/0/dataSource' }]);
    await expect(run(sender({ dataSource: 'database' }), null)).rejects.toThrow('no document');
  });

  it('passes an empty list on', async () => {
    const bench = sender({ dataSource: 'database' });
    await run(bench, []);
    expect(sent(bench)).toEqual([[]]);
  });

  it('takes an object as options for none', async () => {
    const bench = sender({ dataSource: 'database', options: { status: 'x' } });
    await run(bench, fresh('a'));
    expect(await bench.documents()).toMatchObject([{ option: {} }]);
  });
});
