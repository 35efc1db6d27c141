import type { DocumentInput, Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { documentValidatorBlock } from './document-validator.js';

const validating = (options: JsonObject, documents: readonly DocumentInput[] = []): BlockBench =>
  blockBench(documentValidatorBlock, { roles: ['Farmer'], options, documents });

const run = (bench: BlockBench, data: unknown, user: Parameters<BlockBench['as']>[0] = ANN): Promise<void> =>
  bench.as(user).event('RunEvent', data as Json);

const refused = async (options: JsonObject, data: unknown, why: string, documents: readonly DocumentInput[] = []) => {
  const bench = validating(options, documents);
  await expect(run(bench, data)).rejects.toThrow(why);
  expect(bench.emitted).toEqual([]);
};
const passed = async (options: JsonObject, data: unknown, documents: readonly DocumentInput[] = []) => {
  const bench = validating(options, documents);
  await run(bench, data);
  expect(sent(bench)).toEqual([JSON.parse(JSON.stringify(data))]);
};

const mine = credential('a', ANN.did, {}, { group: ANN.group, schema: '#farm', option: { status: 'Approved' } });
const presentation = {
  owner: ANN.did,
  document: { id: 'urn:p', type: ['VerifiablePresentation'], verifiableCredential: [] },
};

describe('a validator in a chain', () => {
  it('lets pass what is as it has to be, one or many', async () => {
    const conditions = [{ type: 'equal', field: 'option.status', value: 'Approved' }];
    const options = {
      documentType: 'vc-document',
      schema: '#farm',
      checkOwnerDocument: true,
      checkOwnerByGroupDocument: true,
    };
    await passed({ ...options, conditions }, mine);
    await passed({ ...options, conditions }, [mine, mine]);
    await passed({}, mine);
  });

  it('says what is wrong', async () => {
    await refused({}, null, 'Invalid document');
    await refused({}, [], 'Invalid document');
    await refused({ documentType: 'vp-document' }, mine, 'Invalid document type');
    await refused({ documentType: 'vc-document' }, presentation, 'Invalid document type');
    await refused({ schema: '#other' }, mine, 'Invalid document schema');
    await refused({ checkOwnerDocument: true }, credential('a', BOB.did), 'Invalid owner');
    await refused({ checkOwnerByGroupDocument: true }, { ...mine, group: BOB.group }, 'Invalid group');
    await refused({ checkAssignDocument: true }, { ...mine, assignedTo: BOB.did }, 'Invalid assigned user');
    await refused({ checkAssignByGroupDocument: true }, mine, 'Invalid assigned group');
    await refused({ conditions: [{ type: 'equal', field: 'option.status', value: 'New' }] }, mine, 'Invalid document');
    await refused(
      { conditions: [{ type: 'like', field: 'option.status', value: 'Approved' }] },
      mine,
      'Invalid document',
    );
    await refused({ checkOwnerDocument: true }, [mine, credential('b', BOB.did)], 'Invalid owner');
  });

  it('knows no group of those who have none', async () => {
    const bench = validating({ checkOwnerByGroupDocument: true });
    const { group: _group, ...ungrouped } = mine;
    await expect(run(bench, ungrouped, { role: 'NO_ROLE', did: ANN.did })).rejects.toThrow('Invalid group');
  });
});

describe('a validator of what a document refers to', () => {
  const referring = { owner: ANN.did, document: { credentialSubject: [{ ref: 'urn:subject:a' }] } };
  const related = { documentType: 'related-vc-document' };

  it('looks at that one', async () => {
    await passed({ ...related, checkOwnerDocument: true }, referring, [mine]);
    await refused({ ...related, checkOwnerDocument: true }, referring, 'Invalid owner', [credential('a', BOB.did)]);
    await refused(related, referring, 'Document does not exist');
    await refused(related, mine, 'Document does not exist', [mine]);
  });

  it('takes the one of the right schema, of several about one subject', async () => {
    const first = credential('x', BOB.did, { id: 'urn:subject:a' }, { schema: '#other' });
    await passed({ ...related, schema: '#farm', checkOwnerDocument: true }, referring, [first, mine]);
    await refused({ ...related, schema: '#none' }, referring, 'Invalid document schema', [first, mine]);
  });

  it('finds the presentation that holds it', async () => {
    const holding = { ...presentation, document: { ...presentation.document, verifiableCredential: [mine.document] } };
    await passed({ documentType: 'related-vp-document' }, referring, [presentation, holding]);
    await refused({ documentType: 'related-vp-document' }, referring, 'Document does not exist', [presentation, mine]);
  });
});
