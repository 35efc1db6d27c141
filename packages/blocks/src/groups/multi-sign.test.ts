import { blockBench, documents, gridWith, keyHolder, type BlockBench } from '@blockwork/testing';
import type { DocumentRecord, Json, JsonObject } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { sendToGuardianBlock } from '../documents/index.js';
import { groupManagerBlock } from './group-manager.js';
import { multiSignBlock } from './multi-sign.js';

const GROUP = '10000000-0000-4000-8000-000000000001';
const voter = (name: string, group = GROUP, role = 'Approver') => ({ did: `did:bench:${name}`, role, group });

/** Members are those who came to the bench before. */
async function bench(members = ['a', 'b', 'c'], options: object = {}): Promise<BlockBench> {
  const signBench = blockBench(multiSignBlock, {
    options: { threshold: '50', ...options },
    parent: gridWith(
      documents(2, (at) => ({ id: `doc-${String(at)}`, messageId: `1.00000000${String(at)}` })),
      { children: [{ blockType: 'groupManagerBlock', tag: 'members', canDelete: 'all' }] },
    ),
    documents: documents(1, () => ({ id: 'hidden', dataType: 'approve' })),
    blocks: [groupManagerBlock],
    roles: ['Approver'],
  });
  for (const member of members) await signBench.as(voter(member)).read();
  return signBench;
}

const vote = (on: BlockBench, name: string, status: string, id = 'doc-0'): Promise<Json> =>
  on.as(voter(name)).send({ document: { id }, status });

const outcomes = (of: BlockBench) => of.emitted.filter(({ output }) => output.startsWith('Signature'));

const presentations = async (of: BlockBench): Promise<DocumentRecord[]> =>
  (await of.documents()).filter(({ dataType }) => dataType === 'vp-documents');

/** What the grid shows of the votes on its rows. */
async function statuses(of: BlockBench, name: string, group = GROUP): Promise<unknown[]> {
  const { data } = (await of.as(voter(name, group)).at('grid').read()) as unknown as {
    data: { blocks: Record<string, { status: unknown }> }[];
  };
  return data.map(({ blocks }) => Object.values(blocks)[0]?.status);
}

describe('multiSignBlock', () => {
  it('goes on with the document once enough have signed, in the name of who signed last', async () => {
    const block = await bench();
    await vote(block, 'a', 'SIGNED');
    expect(outcomes(block)).toEqual([]);
    await vote(block, 'b', 'SIGNED');
    expect(outcomes(block)).toMatchObject([
      { output: 'SignatureQuorumReachedEvent', did: 'did:bench:b', data: { id: 'doc-0', option: {} } },
    ]);
    expect(outcomes(block)[0]?.data).not.toHaveProperty('__sourceTag__');
  });

  it('publishes and stores the signatures as a presentation that can be verified', async () => {
    const block = await bench();
    await vote(block, 'a', 'SIGNED');
    await vote(block, 'c', 'DECLINED');
    await vote(block, 'b', 'SIGNED');
    const [stored, ...others] = await presentations(block);
    expect(others).toEqual([]);
    expect(stored).toMatchObject({
      type: 'MULTI_SIGN',
      owner: 'did:bench:owner',
      relationships: ['1.000000000'],
      messageId: expect.stringMatching(/^\d+\.\d{9}$/) as string,
      document: { holder: 'did:bench:owner', proof: {} },
    });
    expect(stored?.document.verifiableCredential).toMatchObject([
      { issuer: { id: 'did:bench:a', group: GROUP }, credentialSubject: [{ number: 0 }], proof: {} },
      { issuer: { id: 'did:bench:b', group: GROUP }, credentialSubject: [{ number: 0 }], proof: {} },
    ]);
  });

  it('takes the copies that a voter who keeps their key has signed outside, and publishes these', async () => {
    const block = await bench(['a', 'b'], { threshold: '60' });
    const holder = await keyHolder('zoe', block.clock);
    const zoe = { ...voter('zoe'), did: holder.did };
    const cast = (status: string, credentials?: JsonObject[]) =>
      block.as(zoe).send({ document: { id: 'doc-0' }, status, ...(credentials && { credentials }) });
    await block.as(zoe).read();
    const [document] = await block.documents();
    const [subject] = document?.document.credentialSubject as JsonObject[];
    const copy = await holder.sign({ credentialSubject: [subject ?? {}] });
    const other = await holder.sign({ credentialSubject: [{ ...subject, number: 100 }] });
    await vote(block, 'a', 'SIGNED');
    await expect(cast('SIGNED')).rejects.toMatchObject({ code: 'KEY_UNAVAILABLE' });
    for (const credentials of [[], [other], [copy, copy], [{ ...copy, id: 'urn:changed' }]]) {
      await expect(cast('SIGNED', credentials)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    }
    const foreign = await (await keyHolder('other', block.clock)).sign({ credentialSubject: [subject ?? {}] });
    await expect(cast('SIGNED', [foreign])).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    expect(outcomes(block)).toEqual([]);
    await cast('SIGNED', [copy]);
    expect(outcomes(block)).toMatchObject([{ output: 'SignatureQuorumReachedEvent', did: zoe.did }]);
    const [presented] = await presentations(block);
    expect(presented?.document.verifiableCredential).toContainEqual(copy);
  });

  it('refuses the document once too many have declined, and signs nothing', async () => {
    const block = await bench();
    await vote(block, 'a', 'DECLINED');
    await vote(block, 'b', 'DECLINED');
    expect(outcomes(block)).toMatchObject([{ output: 'SignatureSetInsufficientEvent', did: 'did:bench:b' }]);
    expect(await presentations(block)).toEqual([]);
  });

  it('counts each member once, and nobody after the decision', async () => {
    const block = await bench();
    await vote(block, 'a', 'SIGNED');
    await expect(vote(block, 'a', 'SIGNED')).rejects.toThrow('already been signed');
    await expect(vote(block, 'a', 'DECLINED')).rejects.toMatchObject({ code: 'ALREADY_SIGNED' });
    await vote(block, 'b', 'SIGNED');
    await expect(vote(block, 'c', 'DECLINED')).rejects.toThrow('already been signed');
    await vote(block, 'c', 'DECLINED', 'doc-1');
    expect(outcomes(block)).toHaveLength(1);
  });

  it('says so to who votes after the decision, where the document has left the grid', async () => {
    const waits = { type: 'equal', field: 'option.status', value: 'Waiting' };
    const block = blockBench(multiSignBlock, {
      options: { threshold: '50' },
      parent: {
        ...gridWith(documents(1, () => ({ id: 'doc-0', messageId: '1.000000001', option: { status: 'Waiting' } }))),
        children: [
          { blockType: 'documentsSourceAddon', tag: 'waiting', dataType: 'vc-documents', filters: [waits] },
          { blockType: 'sendToGuardianBlock', tag: 'save', dataSource: 'database', stopPropagation: true },
        ],
      },
      blocks: [sendToGuardianBlock],
      roles: ['Approver'],
    });
    for (const member of ['a', 'b', 'c']) await block.as(voter(member)).read();
    await vote(block, 'a', 'SIGNED');
    await vote(block, 'b', 'SIGNED');
    const decided = { ...(outcomes(block)[0]?.data as JsonObject), option: { status: 'Signed' } };
    await block.as(voter('b')).at('save').event('RunEvent', decided);
    for (const name of ['a', 'c']) {
      await expect(vote(block, name, 'SIGNED')).rejects.toMatchObject({ code: 'ALREADY_SIGNED', status: 409 });
    }
    await expect(vote(block, 'a', 'SIGNED', 'doc-1')).rejects.toMatchObject({ code: 'DOCUMENT_UNKNOWN' });
  });

  it('counts members of the same group with the same role only', async () => {
    const block = await bench(['a', 'b']);
    await block.as(voter('observer', GROUP, 'Observer')).read();
    const elsewhere = voter('z', '10000000-0000-4000-8000-000000000002');
    await block.as(elsewhere).read();
    expect((await statuses(block, 'a'))[0]).toMatchObject({ total: 2, signedThreshold: 1, declinedThreshold: 2 });
    await block.as(voter('observer', GROUP, 'Observer')).send({ document: { id: 'doc-1' }, status: 'DECLINED' });
    expect((await statuses(block, 'a'))[1]).toMatchObject({
      total: 2,
      declinedCount: 0,
      confirmationStatus: 'DECLINED',
    });
  });

  it('shows on each row how the vote stands', async () => {
    const block = await bench();
    await vote(block, 'a', 'SIGNED');
    await vote(block, 'b', 'DECLINED');
    expect(await statuses(block, 'a')).toEqual([
      {
        documentStatus: 'SIGNED',
        confirmationStatus: null,
        data: [
          { did: 'did:bench:a', username: 'did:bench:a', group: GROUP, status: 'SIGNED' },
          { did: 'did:bench:b', username: 'did:bench:b', group: GROUP, status: 'DECLINED' },
        ],
        total: 3,
        signedCount: 1,
        signedPercent: 100 / 3,
        signedThreshold: 2,
        declinedCount: 1,
        declinedPercent: 100 / 3,
        declinedThreshold: 2,
        threshold: 50,
      },
      expect.objectContaining({ documentStatus: 'NEW', data: [], signedCount: 0 }),
    ]);
    expect((await statuses(block, 'c'))[0]).toMatchObject({ documentStatus: 'NEW' });
    await vote(block, 'c', 'SIGNED');
    expect((await statuses(block, 'c'))[0]).toMatchObject({ documentStatus: 'SIGNED', confirmationStatus: 'SIGNED' });
  });

  it('believes nothing of what a client posts but the id of a document that the grid shows', async () => {
    const block = await bench(['a']);
    for (const id of ['doc-9', 'hidden']) {
      await expect(vote(block, 'a', 'SIGNED', id)).rejects.toMatchObject({ code: 'DOCUMENT_UNKNOWN' });
    }
    const forged = { id: 'doc-0', owner: 'did:bench:thief', document: { credentialSubject: [{ number: 1e9 }] } };
    await block.as(voter('a')).send({ document: forged, status: 'SIGNED' });
    expect(outcomes(block)).toMatchObject([{ data: { owner: 'did:bench:owner' } }]);
    expect((await presentations(block))[0]?.document.verifiableCredential).toMatchObject([
      { credentialSubject: [{ number: 0 }] },
    ]);
  });

  it.each([['signed'], ['Approved'], [null]])('takes no vote of %j for a refusal', async (status) => {
    const block = await bench();
    await expect(block.as(voter('a')).send({ document: { id: 'doc-0' }, status })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  it('counts again when a member is taken out: what there is may be enough then', async () => {
    const block = await bench(['a', 'b', 'c', 'd']);
    const takeOut = (name: string): Promise<Json> =>
      block
        .as(voter('a'))
        .at('members')
        .send({ action: 'delete', group: GROUP, user: `did:bench:${name}` });
    await vote(block, 'a', 'SIGNED');
    await vote(block, 'b', 'DECLINED');
    await vote(block, 'c', 'DECLINED');
    await vote(block, 'b', 'SIGNED', 'doc-1');
    expect(outcomes(block)).toEqual([]);
    await takeOut('d');
    expect(outcomes(block)).toMatchObject([
      { output: 'SignatureSetInsufficientEvent', did: 'did:bench:c', data: { id: 'doc-0' } },
    ]);
    await takeOut('b');
    expect(outcomes(block)).toHaveLength(1);
    await vote(block, 'a', 'SIGNED', 'doc-1');
    expect(outcomes(block).at(-1)).toMatchObject({ output: 'SignatureQuorumReachedEvent', data: { id: 'doc-1' } });
    const [signatures] = await presentations(block);
    expect(signatures?.document.verifiableCredential).toMatchObject([{ issuer: { id: 'did:bench:a' } }]);
  });

  it('finds a threshold that is no percentage', async () => {
    const finding = { severity: 'error', code: 'OPTIONS_INVALID', tag: 'block' };
    const findingsFor = async (threshold: unknown) => (await bench([], { threshold })).findings();
    expect(await findingsFor(101)).toContainEqual(expect.objectContaining(finding));
    expect(await findingsFor(0)).not.toContainEqual(expect.objectContaining(finding));
    expect(await blockBench(multiSignBlock, { parent: gridWith([]) }).findings()).toMatchObject([
      { code: 'OPTIONS_INVALID' },
    ]);
  });
});
