import type { Json, JsonObject } from '@blockwork/core/block';
import type { BlockFragment } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { signedBench, TOKEN, type SignedBench } from '../../test/signed-documents.js';
import { impactAddon, mintDocumentBlock } from '../tokens/index.js';
import { reportBlock } from './report.js';
import { reportItemBlock } from './report-item.js';

const item = (tag: string, filters: object[], more: object = {}): BlockFragment => ({
  blockType: 'reportItemBlock',
  tag,
  title: tag,
  filters,
  ...more,
});
const comparedWith = (field: string, value: string, type = 'equal') => ({ type, typeValue: 'variable', field, value });
const is = (field: string, value: string, type = 'equal') => ({ type, typeValue: 'value', field, value });

/** Registration, then requests, then what was minted for a request. */
const chain: BlockFragment[] = [
  item('mint', [comparedWith('document.id', 'actionId')]),
  item('request', [is('type', 'request'), comparedWith('document.id', 'documentId')], {
    variables: [
      { name: 'above', value: 'relationships' },
      { name: 'nowhere', value: 'document.nothing' },
    ],
  }),
  item('registration', [is('type', 'registration'), comparedWith('messageId', 'above', 'in')]),
];

function bench(children: readonly BlockFragment[] = chain, mint: object = {}): SignedBench {
  const block = { blockType: 'mintDocumentBlock', tag: 'mintTokens', tokenId: TOKEN, rule: 'sum(n)', ...mint };
  return signedBench(reportBlock, {
    options: { uiMetaData: { title: 'Trust chain' } },
    parent: { blockType: 'interfaceContainerBlock', tag: 'page', children: [{ ...block, stopPropagation: true }] },
    children,
    blocks: [reportItemBlock, mintDocumentBlock(), impactAddon()],
  });
}

/** Two chains of documents, of which the second was minted; its presentation's hash. */
async function mintedChain(block: SignedBench, requests = 1): Promise<string> {
  const chainOf = async (name: string) => {
    const [registration] = await block.signed(name, { subject: { id: `urn:${name}` }, type: 'registration' });
    const relationships = [registration?.messageId ?? ''];
    const subjects = Array.from({ length: requests }, (_, n) => ({
      subject: { n: n + 1 },
      type: 'request',
      relationships,
    }));
    return block.signed(name, ...subjects);
  };
  await chainOf('other');
  const documents = await chainOf('installer');
  await block
    .as('OWNER')
    .at('mintTokens')
    .event('RunEvent', documents as unknown as Json);
  const presentation = (await block.documents()).find(({ dataType }) => dataType === 'vp-documents');
  return presentation?.hash ?? '';
}

interface Answer {
  readonly hash: string | null;
  readonly data: (JsonObject & { readonly documents: JsonObject[] }) | null;
}
const read = async (block: SignedBench, query = {}, user = 'Auditor'): Promise<Answer> =>
  (await block.as(user).read(query)) as unknown as Answer;

describe('reportBlock', () => {
  it('shows nothing until a user chooses a document, and remembers what they chose', async () => {
    const block = bench();
    const hash = await mintedChain(block);
    expect(await read(block)).toMatchObject({ hash: null, data: null, uiMetaData: { title: 'Trust chain' } });
    await block.as('Auditor').send({ filterValue: hash });
    expect(await read(block)).toMatchObject({ hash, data: { vpDocument: { hash, type: 'VP' } } });
    expect(await read(block, {}, 'Somebody')).toMatchObject({ hash: null, data: null });
    await block.as('Auditor').send({ filterValue: '' });
    expect(await read(block)).toMatchObject({ hash: null, data: null });
  });

  it('takes the hash of the query for one answer only', async () => {
    const block = bench();
    const hash = await mintedChain(block);
    expect((await read(block, { hash })).data).not.toBeNull();
    expect((await read(block, { filterValue: hash })).data).not.toBeNull();
    expect(await read(block)).toMatchObject({ hash: null, data: null });
  });

  it('shows nothing for a hash that the policy does not know', async () => {
    expect(await read(bench(), { hash: 'unknown' })).toMatchObject({ hash: 'unknown', data: null });
  });

  it('has no credentials of roles among its documents', async () => {
    const block = bench([item('all', [is('owner', 'did:bench:installer')], { multiple: true })]);
    const hash = await mintedChain(block);
    const [first] = await block.documents();
    const { engine, policyId } = await block.open();
    const role = { type: 'user-role', owner: 'did:bench:installer', document: { ...first?.document, id: 'urn:role' } };
    await engine.program.documents.add(policyId, [role]);
    const { data } = await read(block, { hash });
    const [{ document }] = data?.documents as unknown as [{ document: { document: { document: JsonObject } }[] }];
    expect(document.length).toBeGreaterThan(0);
    expect(JSON.stringify(document)).not.toContain('urn:role');
  });

  it('says what was minted, and goes back over every document of that chain and no other', async () => {
    const block = bench();
    const { data } = await read(block, { hash: await mintedChain(block) });
    expect(data?.mintDocument).toMatchObject({
      tokenId: TOKEN,
      amount: '1.0000',
      issuer: 'did:bench:installer',
      tag: 'mintTokens',
      expected: '1.0000',
      wasTransferNeeded: true,
      type: 'VC',
    });
    expect(data?.impacts).toEqual([]);
    expect(data?.documents).toMatchObject([
      {
        type: 'VC',
        title: 'mint',
        tag: 'mintTokens',
        issuer: 'did:bench:owner',
        notFoundDocuments: false,
        document: { type: 'mint', document: { credentialSubject: [{ tokenId: TOKEN }] } },
      },
      {
        title: 'request',
        issuer: 'did:bench:installer',
        username: 'did:bench:installer',
        document: { type: 'request', document: { credentialSubject: [{ n: 1 }] } },
      },
      {
        title: 'registration',
        visible: true,
        document: { document: { credentialSubject: [{ id: 'urn:installer' }] } },
      },
    ]);
  });

  it('finds the same documents where the presentation only names its sources, and shows the impacts', async () => {
    const impact = {
      blockType: 'impactAddon',
      tag: 'i',
      impactType: 'Primary Impacts',
      amount: 'sum(n)*10',
      unit: 'kg',
    };
    const block = bench(chain, { children: [impact] });
    const { data } = await read(block, { hash: await mintedChain(block) });
    expect(data?.impacts).toMatchObject([
      { type: 'VC', amount: '10', unit: 'kg', impactType: 'Primary Impacts', label: null, document: { owner: null } },
    ]);
    const subjects = data?.documents.map(({ document }) => (document as JsonObject | null)?.document);
    expect(subjects).toMatchObject([
      { credentialSubject: [{ tokenId: TOKEN }] },
      { credentialSubject: [{ n: 1 }] },
      { credentialSubject: [{ id: 'urn:installer' }] },
    ]);
  });

  it('shows a credential by its hash as well', async () => {
    const block = bench();
    await mintedChain(block);
    const request = (await block.documents()).filter(({ type }) => type === 'request').at(-1);
    const { data } = await read(block, { hash: request?.hash ?? '' });
    expect(data).toMatchObject({
      vpDocument: null,
      mintDocument: null,
      vcDocument: { type: 'VC', hash: request?.hash },
    });
    expect(data?.documents).toMatchObject([
      { document: { document: { id: request?.document.id } } },
      { document: { document: { id: request?.document.id } } },
      { document: { document: { credentialSubject: [{ id: 'urn:installer' }] } } },
    ]);
  });
});

describe('reportItemBlock', () => {
  it('shows all documents that match where it says so, with what clients match them by', async () => {
    const requests = item('requests', [is('type', 'request'), comparedWith('document.id', 'documentIds', 'in')], {
      multiple: true,
      dynamicFilters: [{ field: 'relationships', nextItemField: 'messageId', type: 'in' }],
      variables: [{ name: 'above', value: 'relationships' }],
    });
    const block = bench([requests, item('registration', [comparedWith('messageId', 'above', 'in')])]);
    const { data } = await read(block, { hash: await mintedChain(block, 3) });
    expect(data?.documents[0]).toMatchObject({
      multiple: true,
      document: [1, 2, 3].map((n) => ({
        issuer: 'did:bench:installer',
        tag: expect.any(String) as string,
        document: {
          messageId: expect.any(String) as string,
          relationships: [expect.any(String)],
          document: { credentialSubject: [{ n }] },
        },
      })),
    });
    expect(data?.documents[1]).toMatchObject({
      document: { document: { credentialSubject: [{ id: 'urn:installer' }] } },
    });
  });

  it('knows what the items before it found, nested ones too', async () => {
    const inner = item('inner', [comparedWith('messageId', 'above')], {
      variables: [{ name: 'who', value: 'document.issuer' }],
    });
    const outer = item('outer', [comparedWith('document.id', 'documentId')], {
      variables: [{ name: 'above', value: 'relationships' }],
      children: [inner],
    });
    const block = bench([outer, item('later', [comparedWith('owner', 'who'), is('type', 'registration')])]);
    const { data } = await read(block, { hash: await mintedChain(block) });
    expect(data?.documents).toMatchObject([
      { title: 'outer', documents: [{ title: 'inner', document: { document: { issuer: 'did:bench:installer' } } }] },
      { title: 'later', document: { document: { credentialSubject: [{ id: 'urn:installer' }] } } },
    ]);
    expect(data?.documents[1]).not.toHaveProperty('documents');
    expect(data?.documents).toHaveLength(2);
  });

  it('matches nothing by what is not known, whatever the comparison', async () => {
    const types = ['equal', 'not_equal', 'in', 'not_in'];
    const block = bench(types.map((type) => item(type, [comparedWith('document.id', 'toString', type)])));
    const { data } = await read(block, { hash: await mintedChain(block) });
    expect(data?.documents.map(({ document }) => document)).toEqual([null, null, null, null]);
  });

  it('splits lists written as text, and leaves out what is not wanted', async () => {
    const block = bench([
      item('either', [is('type', 'registration, request', 'in'), comparedWith('owner', 'owner')], { multiple: true }),
      item('neither', [is('type', 'registration,mint', 'not_in'), is('type', 'x', 'not_equal')], { multiple: true }),
    ]);
    const { data } = await read(block, { hash: await mintedChain(block) });
    expect(data?.documents.map(({ document }) => (document as Json[]).length)).toEqual([2, 2]);
  });

  it('is left out for users whom it is not open to', async () => {
    const block = bench([
      item('secret', [comparedWith('document.id', 'actionId')], { permissions: ['OWNER'] }),
      ...chain,
    ]);
    const hash = await mintedChain(block);
    expect((await read(block, { hash })).data?.documents).toHaveLength(3);
    expect((await read(block, { hash }, 'OWNER')).data?.documents).toHaveLength(4);
  });

  it('stays empty with a filter that does not exist, which is found when the policy is read', async () => {
    const block = bench([item('odd', [{ ...comparedWith('document.id', 'actionId'), type: 'like' }]), ...chain]);
    expect(await block.findings()).toMatchObject([{ severity: 'error', code: 'OPTIONS_INVALID', tag: 'odd' }]);
    const { data } = await read(block, { hash: await mintedChain(block) });
    expect(data?.documents).toMatchObject([{ document: null }, { document: {} }, { document: {} }, { document: {} }]);
  });
});
