import type { DocumentInput, Json, JsonObject } from '@blockwork/core/block';
import { blockBench, documents, gridWith, type BenchSetup, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { sendToGuardianBlock } from '../documents/index.js';
import { buttonBlock } from './button.js';

const approve = { tag: 'Approve', type: 'selector', field: 'option.status', value: 'Approved', filters: [] };
const reject = { tag: 'Reject', type: 'selector-dialog', field: 'option.status', value: 'Rejected', title: 'Why?' };
const revoke = {
  tag: 'Revoke',
  type: 'selector-dialog',
  filters: [{ type: 'not_equal', field: 'option.status', value: 'Revoked' }],
};

const report = credential('a', BOB.did, {}, { option: { status: 'Waiting' } });

/** Buttons that a grid of these documents opens from its rows. */
const buttons = (shown: readonly DocumentInput[], column: JsonObject = {}, setup: BenchSetup = {}): BlockBench =>
  blockBench(buttonBlock, {
    roles: ['Farmer', 'Approver'],
    blocks: [sendToGuardianBlock],
    options: { uiMetaData: { buttons: [approve, reject, revoke] } },
    parent: {
      blockType: 'interfaceContainerBlock',
      children: [
        gridWith(shown, { uiMetaData: { fields: [{ type: 'button', bindBlock: 'block', ...column }] } }),
        { blockType: 'sendToGuardianBlock', tag: 'save', dataSource: 'database', stopPropagation: true },
      ],
    },
    ...setup,
  });

const APPROVER = { role: 'Approver', did: 'did:test:approver' };

describe('a button', () => {
  it('gives the stored document the configured value, and sends it along its own output', async () => {
    const bench = buttons([report]);
    await bench.as(APPROVER).send({ tag: 'Approve', document: { id: 'a' } });
    expect(bench.emitted).toMatchObject([
      { output: 'Approve', data: { id: 'a', owner: BOB.did, option: { status: 'Approved' } }, did: APPROVER.did },
    ]);
    expect(bench.emitted[0]?.data).not.toHaveProperty('__sourceTag__');
    expect(await bench.documents()).toMatchObject([{ option: { status: 'Waiting' } }]);
  });

  it('shows itself', async () => {
    expect(await buttons([]).as(ANN).read()).toMatchObject({
      blockType: 'buttonBlock',
      uiMetaData: { buttons: [{ tag: 'Approve' }, { tag: 'Reject' }, { tag: 'Revoke' }] },
      userDid: ANN.did,
    });
  });

  it('adds the comment of its dialog, and of a dialog only', async () => {
    const bench = buttons([report]);
    await bench.as(APPROVER).send({ tag: 'Reject', document: { id: 'a', option: { comment: 'too small' } } });
    await bench.as(APPROVER).send({ tag: 'Revoke', document: { id: 'a', comment: ['first', 'last'] } });
    await bench.as(APPROVER).send({ tag: 'Approve', document: { id: 'a', comment: 'x', option: { comment: 'x' } } });
    expect(sent(bench, 'Reject')[0]).toMatchObject({
      comment: 'too small',
      option: { status: 'Rejected', comment: ['too small'] },
    });
    expect(sent(bench, 'Revoke')[0]).toMatchObject({ comment: 'last', option: { status: 'Waiting' } });
    expect(sent(bench, 'Approve')[0]).not.toHaveProperty('comment');
  });

  it('adds a comment to those before it, a text as the first of the list', async () => {
    const before = (comment: Json) => [credential('a', BOB.did, {}, { option: { status: 'Waiting', comment } })];
    const pressed = async (comment: Json) => {
      const bench = buttons(before(comment));
      await bench.as(APPROVER).send({ tag: 'Reject', document: { id: 'a', option: { comment: ['forged', 'new'] } } });
      return (sent(bench, 'Reject')[0]?.option as JsonObject).comment;
    };
    expect(await pressed('old')).toEqual(['old', 'new']);
    expect(await pressed(['older', 'old'])).toEqual(['older', 'old', 'new']);
  });

  it('puts the text of its dialog where the policy says, and never into what only the engine sets', async () => {
    const ask = (dialogResultFieldPath: string) =>
      buttons([report], {}, { options: { uiMetaData: { buttons: [{ ...reject, dialogResultFieldPath }] } } });
    const bench = ask('option.review.reasons');
    const document = { id: 'a', option: { review: { reasons: ['too small'] }, comment: 'no' } };
    await bench.as(APPROVER).send({ tag: 'Reject', document });
    expect(sent(bench, 'Reject')[0]?.option).toEqual({ status: 'Rejected', review: { reasons: ['too small'] } });
    await expect(
      ask('hash')
        .as(APPROVER)
        .send({ tag: 'Reject', document: { id: 'a', hash: 'mine' } }),
    ).rejects.toMatchObject({ code: 'BLOCK_MISCONFIGURED' });
  });

  it('is offered with all others or not at all, unless each stands for itself', async () => {
    const strict = { ...reject, filters: [{ type: 'equal', field: 'option.status', value: 'Done' }] };
    const press = (enableIndividualFilters: boolean) =>
      buttons([report], {}, { options: { uiMetaData: { buttons: [approve, strict], enableIndividualFilters } } })
        .as(APPROVER)
        .send({ tag: 'Approve', document: { id: 'a' } });
    await expect(press(false)).rejects.toMatchObject({ code: 'BUTTON_NOT_OFFERED' });
    await press(true);
  });

  it('can stand outside of every grid, and then needs no row', async () => {
    const bench = blockBench(buttonBlock, {
      options: { uiMetaData: { buttons: [{ tag: 'Return', type: 'selector' }] } },
    });
    await bench.as(ANN).send({ tag: 'Return', document: null });
    await bench.as(ANN).send({ tag: 'Return' });
    expect(bench.emitted).toMatchObject([
      { output: 'Return', data: null },
      { output: 'Return', data: null },
    ]);
  });

  it('that changes what a credential says has it signed anew, in its place', async () => {
    const grade = { tag: 'Grade', type: 'selector', field: 'document.credentialSubject.0.grade', value: 'A' };
    const bench = buttons([report], {}, { options: { uiMetaData: { buttons: [grade] } } });
    await bench.as(APPROVER).send({ tag: 'Grade', document: { id: 'a' } });
    const [stored] = await bench.documents();
    expect(stored).toMatchObject({
      id: 'a',
      owner: BOB.did,
      messageId: null,
      relationships: ['1.a'],
      document: {
        issuer: APPROVER.did,
        credentialSubject: [{ id: 'urn:subject:a', grade: 'A' }],
        evidence: [{ id: 'urn:a', issuer: BOB.did }],
        proof: { type: 'DataIntegrityProof' },
      },
    });
    expect(sent(bench, 'Grade')[0]).toMatchObject({ id: 'a', hash: stored?.hash });
  });

  it('is found to be wrong without a tag, with one twice, or of a kind that is none', async () => {
    const bad = [{ tag: '', type: 'selector' }, approve, approve, { tag: 'X', type: 'link' }];
    const bench = buttons([], {}, { options: { uiMetaData: { buttons: bad } } });
    const paths = (await bench.findings()).filter(({ code }) => code === 'OPTIONS_INVALID').map(({ path }) => path);
    expect(paths.map((path) => path.split('/').slice(-2).join('/'))).toEqual(['0/tag', '2/tag', '3/type']);
  });
});

describe('what a client cannot do with a button', () => {
  const nothingHappens = async (bench: BlockBench, body: unknown, user: Parameters<BlockBench['as']>[0] = APPROVER) => {
    const before = await bench.documents();
    const count = bench.emitted.length;
    await expect(bench.as(user).send(body)).rejects.toMatchObject({ name: 'BlockworkError' });
    expect(bench.emitted).toHaveLength(count);
    expect(await bench.documents()).toEqual(before);
  };

  it('is to press one that is not there, the names of the engine’s own outputs among them', async () => {
    const bench = buttons([report]);
    for (const tag of ['RunEvent', 'RefreshEvent', 'ReleaseEvent', 'ErrorEvent', 'Else', '', 'toString', '__proto__']) {
      await nothingHappens(bench, { tag, document: { id: 'a' } });
    }
  });

  it('is to send a changed document along', async () => {
    const bench = buttons([report]);
    const forged = {
      ...report,
      owner: APPROVER.did,
      type: 'other',
      tokens: { credit: '0.0.1' },
      accounts: { default: '0.0.666' },
      option: { status: 'Minted', extra: true },
      document: { credentialSubject: [{ amount: 1e9 }] },
    };
    await bench.as(APPROVER).send({ tag: 'Approve', document: forged });
    const { policyId } = await bench.open();
    expect(sent(bench, 'Approve')).toEqual([
      { ...(await bench.documents())[0], policyId, option: { status: 'Approved' } },
    ]);
  });

  it('is to press it for a document that they do not see', async () => {
    const hidden = { permissions: ['OWNER'], blockType: 'interfaceContainerBlock' };
    const grid = gridWith([report], { uiMetaData: { fields: [{ bindBlock: 'block' }] } });
    const bench = blockBench(buttonBlock, {
      roles: ['Approver'],
      options: { uiMetaData: { buttons: [approve] } },
      parent: { blockType: 'interfaceContainerBlock', children: [{ ...hidden, children: [grid] }] },
    });
    await nothingHappens(bench, { tag: 'Approve', document: { id: 'a' } });
    await nothingHappens(bench, { tag: 'Approve', document: { ...report, __sourceTag__: 'source' } });
    await bench.as('OWNER').send({ tag: 'Approve', document: { id: 'a' } });
    expect(bench.emitted).toHaveLength(1);
  });

  it('is to press it for a document of another policy, or for one that they made up', async () => {
    const other = buttons([credential('b', BOB.did)]);
    await other.open();
    const bench = buttons([report]);
    for (const document of [{ id: 'b' }, credential('b', BOB.did), { id: 'made-up' }, { id: 5 }, {}, [], 'x', 5]) {
      await nothingHappens(bench, { tag: 'Approve', document });
    }
  });

  it('is to leave the row out where there are rows', async () => {
    await nothingHappens(buttons([report]), { tag: 'Approve', document: null });
    await nothingHappens(buttons([report]), { tag: 'Approve' });
  });

  it('is to press one that is not for this document', async () => {
    const bench = buttons([credential('a', BOB.did, {}, { option: { status: 'Revoked' } })]);
    await nothingHappens(bench, { tag: 'Revoke', document: { id: 'a', option: { status: 'Waiting' } } });
  });

  it('is to press one in a row that does not have it', async () => {
    const grid = gridWith([report, credential('b', BOB.did, {}, { type: 'other' })], {
      uiMetaData: { fields: [{ bindBlock: 'block', bindGroup: 'farms' }] },
    });
    const source = { blockType: 'documentsSourceAddon', dataType: 'vc-documents' };
    const ofType = (tag: string, value: string) => ({
      ...source,
      tag,
      filters: [{ type: 'equal', field: 'type', value }],
    });
    const bench = blockBench(buttonBlock, {
      roles: ['Approver'],
      options: { uiMetaData: { buttons: [approve] } },
      parent: {
        blockType: 'interfaceContainerBlock',
        children: [{ ...grid, children: [ofType('others', 'other'), ofType('farms', 'farm')] }],
      },
    });
    await nothingHappens(bench, { tag: 'Approve', document: { id: 'b' } });
    await bench.as(APPROVER).send({ tag: 'Approve', document: { id: 'a' } });
    expect(bench.emitted).toHaveLength(1);
  });

  it('is to press it twice for one document, as long as what it did stands', async () => {
    const bench = buttons([report], { bindGroup: 'no source of the grid' });
    const body = { tag: 'Approve', document: { id: 'a' } };
    await bench.as(APPROVER).send(body);
    await bench
      .as(APPROVER)
      .at('save')
      .event('RunEvent', sent(bench, 'Approve')[0] ?? null);
    await nothingHappens(bench, body);
    await expect(bench.as(APPROVER).send(body)).rejects.toMatchObject({ code: 'ALREADY_PRESSED', status: 409 });
    const [stored] = await bench.documents();
    await bench
      .as(APPROVER)
      .at('save')
      .event('RunEvent', { ...stored, option: { status: 'Waiting' } } as unknown as JsonObject);
    await bench.as(APPROVER).send(body);
    expect(sent(bench, 'Approve')).toHaveLength(2);
  });

  it('is to make it write what is the engine’s own, even where a policy says so', async () => {
    for (const field of ['id', 'policyId', 'hash', '__proto__.x', 'document.proof', 'messageId', 'dataType']) {
      const bench = buttons(
        [report],
        {},
        { options: { uiMetaData: { buttons: [{ ...approve, field, value: 'x' }] } } },
      );
      await nothingHappens(bench, { tag: 'Approve', document: { id: 'a' } });
    }
  });

  it('is to send something else', async () => {
    for (const body of [null, {}, { document: { id: 'a' } }, { tag: 5 }, 'Approve']) {
      await nothingHappens(buttons(documents(1)), body);
    }
  });
});

describe('a document that has moved on', () => {
  /** A grid of what waits; whoever presses sees only what is their own, where the source says so. */
  const waitingGrid = (source: JsonObject = {}): BlockBench =>
    blockBench(buttonBlock, {
      roles: ['Farmer', 'Approver'],
      blocks: [sendToGuardianBlock],
      options: { uiMetaData: { buttons: [approve, reject] } },
      parent: {
        blockType: 'interfaceContainerBlock',
        documents: [report],
        children: [
          {
            blockType: 'interfaceDocumentsSourceBlock',
            tag: 'grid',
            uiMetaData: { fields: [{ type: 'button', bindBlock: 'block' }] },
            children: [
              {
                blockType: 'documentsSourceAddon',
                tag: 'source',
                dataType: 'vc-documents',
                filters: [{ type: 'equal', field: 'option.status', value: 'Waiting' }],
                ...source,
              },
            ],
          },
          { blockType: 'sendToGuardianBlock', tag: 'save', dataSource: 'database', stopPropagation: true },
        ],
      },
    });
  const approved = async (bench: BlockBench, user: Parameters<BlockBench['as']>[0]): Promise<void> => {
    await bench.as(user).send({ tag: 'Approve', document: { id: 'a' } });
    await bench
      .as(user)
      .at('save')
      .event('RunEvent', sent(bench, 'Approve')[0] ?? null);
  };

  it('is decided already for those who saw it there, whichever button they press', async () => {
    const bench = waitingGrid();
    await approved(bench, APPROVER);
    for (const [user, tag] of [
      [APPROVER, 'Approve'],
      [{ ...APPROVER, did: 'did:test:second' }, 'Reject'],
    ] as const) {
      const refused = expect(bench.as(user).send({ tag, document: { id: 'a' } }), tag).rejects;
      await refused.toMatchObject({
        code: 'ALREADY_DECIDED',
        status: 409,
        message: expect.stringContaining('its status is "Approved" now') as string,
      });
    }
    expect(bench.emitted).toHaveLength(1);
  });

  it('stays unknown to those who never saw it there', async () => {
    const bench = waitingGrid({ onlyOwnDocuments: true });
    await approved(bench, { role: 'Farmer', did: BOB.did });
    const press = (user: Parameters<BlockBench['as']>[0], id: string) =>
      bench.as(user).send({ tag: 'Approve', document: { id } });
    await expect(press(APPROVER, 'a')).rejects.toMatchObject({ code: 'DOCUMENT_UNKNOWN', status: 404 });
    await expect(press(APPROVER, 'nothing')).rejects.toMatchObject({ code: 'DOCUMENT_UNKNOWN' });
    await expect(press({ role: 'Farmer', did: BOB.did }, 'a')).rejects.toMatchObject({ code: 'ALREADY_DECIDED' });
  });
});
