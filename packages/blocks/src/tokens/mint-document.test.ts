import { DerivedAccounts } from '@blockwork/core';
import { asJson, defineBlock, type DocumentRecord, type Json, type JsonObject } from '@blockwork/core/block';
import type { BenchSetup } from '@blockwork/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CERTIFICATES, signedBench, TOKEN, type SignedBench } from '../../test/signed-documents.js';
import { ThreadPool } from '../threads/index.js';
import { impactAddon } from './impact-addon.js';
import { mintDocumentBlock } from './mint-document.js';

const bench = (options: Readonly<Record<string, unknown>> = {}, setup: BenchSetup = {}): SignedBench =>
  signedBench(mintDocumentBlock(), { ...setup, options: { tokenId: TOKEN, rule: 'field3 / 1000', ...options } });

async function minted(of: SignedBench, tokenId = TOKEN) {
  const { engine, policyId } = await of.open();
  return engine.program.ledger.getMintTotals(policyId, tokenId);
}

const documentsOf = async (of: SignedBench, type: string): Promise<DocumentRecord[]> =>
  (await of.documents()).filter((document) => document.type === type);

const credentials = ({ document }: DocumentRecord): JsonObject[] => document.verifiableCredential as JsonObject[];

const subjects = (presentation: DocumentRecord | undefined): unknown[] =>
  presentation === undefined
    ? []
    : credentials(presentation).map(({ credentialSubject }) => (credentialSubject as unknown[])[0]);

describe('mintDocumentBlock', () => {
  it('mints what the rule says, rounded half up to whole units, to the account of the document owner', async () => {
    const block = bench();
    await block.run(await block.signed('installer', { subject: { field3: 12345.678 } }));
    expect(await minted(block)).toEqual({
      mints: 1,
      units: '123457',
      amounts: ['12.3457'],
      accounts: { [(await new DerivedAccounts().accountOf('did:bench:installer')) ?? '']: '123457' },
    });
  });

  it.each([
    ['floor', '123456'],
    ['ceil', '123457'],
    ['nearest', '123457'],
    [null, '123457'],
  ])('brings an amount to the decimals of its token as the policy says: %s', async (roundMethod, units) => {
    const block = bench({ rule: 'n', roundMethod });
    await block.run(await block.signed('installer', { subject: { n: 12.34565 } }));
    expect(await minted(block)).toMatchObject({ units });
  });

  it('cannot be loaded with a way of rounding that it does not know', async () => {
    expect(await bench({ roundMethod: 'sideways' }).findings()).toContainEqual(
      expect.objectContaining({ code: 'OPTIONS_INVALID', severity: 'error' }),
    );
  });

  it('has nothing to try again, and mints nothing when it is asked to', async () => {
    const block = bench();
    const documents = await block.signed('installer', { subject: { field3: 1000 } });
    await block.run(documents, 'RetryMintEvent');
    expect(await minted(block)).toMatchObject({ mints: 0 });
    expect(block.emitted.map(({ output }) => output)).toEqual(['RefreshEvent']);
  });

  it('sums the rule over all documents before it rounds', async () => {
    const block = bench({ rule: 'value / 1' });
    const documents = await block.signed(
      'installer',
      ...[0.1, 0.2, '0.00004', 0.00001].map((value) => ({ subject: { value } })),
    );
    await block.run(documents);
    expect((await minted(block)).amounts).toEqual(['0.3001']);
  });

  it('works out a large sum in a thread, with the same result, and is rolled back where the thread is stopped', async () => {
    const rule = 'sum(list / 7)';
    const setup = { options: { tokenId: TOKEN, rule } };
    const list = Array.from({ length: 2_000 }, (_, at) => at);
    const threads = new ThreadPool({ size: 1 });
    const large = signedBench(mintDocumentBlock({ threads }), setup);
    await large.run(await large.signed('installer', { subject: { list } }));
    const inline = signedBench(mintDocumentBlock({ formulas: { inlineSteps: 10_000_000 } }), setup);
    await inline.run(await inline.signed('installer', { subject: { list } }));
    expect((await minted(large)).amounts).toEqual((await minted(inline)).amounts);

    const stopped = signedBench(mintDocumentBlock({ threads, formulas: { milliseconds: 1, inlineSteps: 0 } }), setup);
    const documents = await stopped.signed('installer', ...Array.from({ length: 100 }, () => ({ subject: { list } })));
    await expect(stopped.run(documents)).rejects.toMatchObject({ code: 'FORMULA_STOPPED' });
    expect(await minted(stopped)).toMatchObject({ mints: 0 });
  });

  it('mints whole serials of a token that is not fungible', async () => {
    const block = bench({ tokenId: CERTIFICATES, rule: 'sum(field52)' });
    await block.run((await block.signed('pp', { subject: { field52: [529.6, 264.8] } }))[0]);
    expect(await minted(block, CERTIFICATES)).toMatchObject({ units: '794', amounts: ['794'] });
  });

  it('gives evidence: a credential of the owner in a presentation with the documents, both published and stored', async () => {
    const block = bench();
    const documents = await block.signed('a', { subject: { field3: 1000 } }, { subject: { field3: 2000 } });
    await block.run(documents);
    const [credential] = (await documentsOf(block, 'mint')).filter(({ dataType }) => dataType === 'vc-documents');
    const [presentation] = (await documentsOf(block, 'mint')).filter(({ dataType }) => dataType === 'vp-documents');
    const sources = documents.map(({ messageId }) => messageId);
    expect(credential).toMatchObject({
      owner: 'did:bench:a',
      schema: '#MintToken',
      relationships: sources,
      document: { issuer: 'did:bench:owner' },
    });
    expect(presentation).toMatchObject({ owner: 'did:bench:a', relationships: [...sources, credential?.messageId] });
    expect(subjects(presentation)).toEqual([
      { field3: 1000 },
      { field3: 2000 },
      { type: 'MintToken', date: expect.any(String) as string, tokenId: TOKEN, amount: '3.0000' },
    ]);
    const { engine, policyId } = await block.open();
    const messages = await engine.program.ledger.listMessages(policyId);
    expect(messages.slice(-2)).toMatchObject([
      { id: credential?.messageId, type: 'vc-document', relationships: sources },
      { id: presentation?.messageId, type: 'vp-document', relationships: [...sources, credential?.messageId] },
    ]);
  });

  it('goes on as the owner of the document, with the presentation beside the data', async () => {
    const block = bench();
    const [document] = await block.signed('installer', { subject: { field3: 1000 } });
    await block.run(document);
    expect(block.emitted.map(({ output, did }) => [output, did])).toEqual([
      ['RunEvent', 'did:bench:installer'],
      ['RefreshEvent', 'did:bench:installer'],
    ]);
    expect(block.emitted[0]?.data).toMatchObject({ id: document?.id });
  });

  it('names its sources in a credential of their own where it states impacts', async () => {
    const addon = { blockType: 'impactAddon', impactType: 'Primary Impacts', description: 'd' };
    const children = [
      { ...addon, tag: 'one', label: 'Test 1', amount: 'field7*1000', unit: 'kg' },
      { ...addon, tag: 'two', amount: 'field7 * 10', unit: 'm3' },
    ];
    const block = bench({ rule: 'field7' }, { children, blocks: [impactAddon()] });
    const documents = await block.signed('installer', { subject: { field7: 12.4 } });
    await block.run(documents);
    const [presentation] = (await documentsOf(block, 'mint')).filter(({ dataType }) => dataType === 'vp-documents');
    expect(subjects(presentation)).toMatchObject([
      { type: 'TokenDataSource', dataSource: [documents[0]?.messageId], relationships: [] },
      { type: 'ActivityImpact', impactType: 'Primary Impacts', label: 'Test 1', amount: '12400', unit: 'kg' },
      { type: 'ActivityImpact', amount: '124', unit: 'm3' },
      { type: 'MintToken', amount: '12.4000' },
    ]);
    expect(subjects(presentation)[2]).not.toHaveProperty('label');
  });

  it('builds an additional mint on the presentation of the first one', async () => {
    const link = { source: 'first', output: 'RunEvent', target: 'block', input: 'AdditionalMintEvent', actor: '' };
    const first = { blockType: 'mintDocumentBlock', tag: 'first', tokenId: CERTIFICATES, rule: 'field3' };
    const children = [{ ...first, events: [link], stopPropagation: true }];
    const block = bench(
      { rule: 'field3 * 2' },
      { parent: { blockType: 'interfaceContainerBlock', tag: 'page', children } },
    );
    const documents = await block.signed('installer', { subject: { field3: 5 } });
    await block
      .as('OWNER')
      .at('first')
      .event('RunEvent', documents as unknown as Json);
    expect([(await minted(block, CERTIFICATES)).amounts, (await minted(block)).amounts]).toEqual([['5'], ['10.0000']]);
    const [one, two] = (await documentsOf(block, 'mint')).filter(({ dataType }) => dataType === 'vp-documents');
    expect(subjects(one)).toMatchObject([{ field3: 5 }, { amount: '5' }]);
    expect(subjects(two)).toMatchObject([
      { type: 'TokenDataSource', dataSource: [documents[0]?.messageId], relationships: [one?.messageId] },
      { type: 'MintToken', amount: '10.0000' },
    ]);
    expect(two?.relationships).toContain(one?.messageId);
  });

  it('pays the account that the document names, or a fixed one', async () => {
    const named = bench({ accountType: 'custom', accountId: 'tokenOwnerId' });
    await named.run(await named.signed('a', { subject: { field3: 1000 }, accounts: { tokenOwnerId: '0.0.7777' } }));
    expect((await minted(named)).accounts).toEqual({ '0.0.7777': '10000' });
    const fixed = bench({ accountType: 'custom-value', accountIdValue: '0.0.8888' });
    await fixed.run(await fixed.signed('a', { subject: { field3: 1000 } }));
    expect((await minted(fixed)).accounts).toEqual({ '0.0.8888': '10000' });
  });

  it('mints the token that was made for the document, and no token that the policy does not know', async () => {
    const template = { useTemplate: true, template: 'credit', tokenId: '0.0.9' };
    const block = bench(template);
    const mine = await block.signed('a', { subject: { field3: 1000 }, tokens: { credit: TOKEN } });
    await block.run(mine);
    expect((await minted(block)).mints).toBe(1);
    const foreign = await block.signed('a', { subject: { field3: 1000 }, tokens: { credit: '0.0.5555' } });
    await expect(block.run(foreign)).rejects.toMatchObject({ code: 'TOKEN_UNKNOWN' });
    await expect(block.run(await block.signed('a', { subject: { field3: 1 } }))).rejects.toThrow('Bad token id');
  });

  it.each([
    ['a subject that was changed after it was signed', { subject: { field3: 1 }, forged: { field3: 1e9 } }],
    ['a document that was found invalid before', { subject: { field3: 1 }, signature: 2 }],
  ])('refuses %s, and mints nothing', async (_, document) => {
    const block = bench();
    const documents = await block.signed('thief', { subject: { field3: 5 } }, document);
    await expect(block.run(documents)).rejects.toThrow('Invalid VC proof');
    expect(await minted(block)).toMatchObject({ mints: 0, units: '0' });
    expect(await documentsOf(block, 'mint')).toEqual([]);
    expect(block.emitted).toEqual([]);
  });

  it('counts a credential once: the same document coming again mints nothing', async () => {
    const block = bench();
    const documents = await block.signed('a', { subject: { field3: 1000 } }, { subject: { field3: 1000 } });
    await block.run(documents[0]);
    await expect(block.run(documents[0])).rejects.toMatchObject({ code: 'CREDENTIAL_USED' });
    await expect(block.run(documents)).rejects.toMatchObject({ code: 'CREDENTIAL_USED' });
    await block.run(documents[1]);
    expect((await minted(block)).mints).toBe(2);
    const [again] = await block.signed('a', { subject: { field3: 1000 } });
    await expect(block.run([again, again])).rejects.toMatchObject({ code: 'CREDENTIAL_USED' });
    await block.run(again);
    expect((await minted(block)).mints).toBe(3);
  });

  it.each([
    ['no number', 'field9', { field3: 1 }],
    ['no number', '1 / 0', { field3: 1 }],
    ['less than nothing', '0 - field3', { field3: 1 }],
  ])('refuses an amount that is %s', async (_, rule, subject) => {
    const block = bench({ rule });
    const documents = await block.signed('a', { subject });
    await expect(block.run(documents)).rejects.toMatchObject({ code: 'AMOUNT_INVALID', facts: { tag: 'block' } });
    expect((await minted(block)).mints).toBe(0);
  });

  it('mints nothing of an amount that rounds to nothing, and gives evidence of that', async () => {
    const block = bench({ rule: 'field3 / 100000' });
    await block.run(await block.signed('a', { subject: { field3: 1 } }));
    expect(await minted(block)).toMatchObject({ mints: 1, units: '0', amounts: ['0.0000'] });
    expect(await documentsOf(block, 'mint')).not.toEqual([]);
  });

  it('takes the whole run back where the ledger refuses', async () => {
    const block = bench({ rule: 'field3' });
    const documents = await block.signed('a', { subject: { field3: 9e15 } });
    await expect(block.run(documents)).rejects.toMatchObject({ status: 422 });
    expect(await documentsOf(block, 'mint')).toEqual([]);
    expect(block.emitted).toEqual([]);
    await expect(block.run(null)).rejects.toMatchObject({ code: 'DOCUMENT_MISSING' });
    const noAccount = bench({ accountType: 'custom', accountId: 'tokenOwnerId' });
    await expect(noAccount.run(await noAccount.signed('a', { subject: { field3: 1 } }))).rejects.toThrow(
      'Token recipient not set',
    );
  });

  it('pays the account of the first document, and warns where others would have been paid', async () => {
    const block = bench({ accountType: 'custom', accountId: 'own' });
    const [one, other, same] = await block.signed(
      'a',
      ...['0.0.7777', '0.0.8888', ' 0.0.7777 '].map((own) => ({ subject: { field3: 1000 }, accounts: { own } })),
    );
    await block.run([one, other, same]);
    expect((await minted(block)).accounts).toEqual({ '0.0.7777': '30000' });
    const { engine, policyId, owner } = await block.open();
    const { items } = await engine.journal.list(owner, policyId);
    expect(items.flatMap(({ warnings }) => warnings)).toMatchObject([
      { tag: 'block', facts: { account: '0.0.7777', theirs: '0.0.8888' } },
    ]);
  });

  it('pays no account that only looks like one', async () => {
    const block = bench({ accountType: 'custom', accountId: 'own' });
    for (const own of ['0.0.x', 7, null]) {
      const [document] = await block.signed('a', { subject: { field3: 1 }, accounts: { own } });
      await expect(block.run(document)).rejects.toMatchObject({ code: 'RECIPIENT_UNKNOWN' });
    }
    expect((await minted(block)).mints).toBe(0);
  });

  it('builds an additional mint on no presentation that was changed', async () => {
    const forger = defineBlock({
      type: 'forger',
      title: 'Forger',
      description: 'Hands on documents with a presentation that is not what its holder signed.',
      kind: 'server',
      on: {
        async RunEvent(ctx, { data }) {
          const credential = await ctx.credentials.issue({ issuer: ctx.policy.owner, subject: { amount: '1' } });
          const document = await ctx.credentials.present(ctx.policy.owner, [credential]);
          const forged = { owner: ctx.policy.owner, document: { ...document, holder: ctx.user.did } };
          ctx.emit('RunEvent', data, { result: forged });
        },
      },
    });
    const link = { source: 'forger', output: 'RunEvent', target: 'block', input: 'AdditionalMintEvent', actor: '' };
    const children = [{ blockType: 'forger', tag: 'forger', events: [link], stopPropagation: true }];
    const parent = { blockType: 'interfaceContainerBlock', tag: 'page', children };
    const block = bench({}, { parent, blocks: [forger] });
    const documents = await block.signed('installer', { subject: { field3: 5 } });
    const forging = block.as('Thief').at('forger').event('RunEvent', asJson(documents));
    await expect(forging).rejects.toThrow('Invalid VC proof');
    expect((await minted(block)).mints).toBe(0);
  });

  it('names each message that it goes back to once', async () => {
    const block = bench();
    const documents = await block.signed('a', ...[1, 2].map((field3) => ({ subject: { field3 }, messageId: '1.5' })));
    await block.run(documents);
    expect((await documentsOf(block, 'mint'))[0]?.relationships).toEqual(['1.5']);
  });

  it('names the presentation on the ledger, and what the policy wants said beside it', async () => {
    const memos = async (options: Readonly<Record<string, unknown>>): Promise<unknown[]> => {
      const block = bench(options);
      await block.run(await block.signed('a', { subject: { field3: 1000 } }));
      const { engine, policyId } = await block.open();
      const { items } = await engine.program.ledger.listEffects(policyId);
      const [, presentation] = await documentsOf(block, 'mint');
      return items.flatMap((effect) => (effect.type === 'mint' ? [effect.memo, presentation?.messageId] : []));
    };
    const [plain, messageId] = await memos({});
    expect(plain).toBe(messageId);
    const [memo, message] = await memos({ memo: 'for the year' });
    expect(memo).toBe(`${String(message)} for the year`);
  });

  it('keeps the evidence in the group of the document, and names documents without a message by their own id', async () => {
    const group = '00000000-0000-4000-9000-00000000000a';
    const block = bench(
      {},
      {
        children: [{ blockType: 'impactAddon', tag: 'impact', impactType: 'Primary Impacts', amount: 1 }],
        blocks: [impactAddon()],
      },
    );
    const documents = await block.signed('a', { subject: { field3: 1000 }, group, messageId: null });
    await block.run(documents);
    const evidence = await documentsOf(block, 'mint');
    expect(evidence.map((each) => each.group)).toEqual([group, group]);
    expect(evidence[0]?.relationships).toEqual([]);
    expect(subjects(evidence[1])).toMatchObject([
      { type: 'TokenDataSource', dataSource: [documents[0]?.document.id] },
      { type: 'ActivityImpact' },
      { type: 'MintToken' },
    ]);
  });

  it('counts a presentation by its credentials: one of them that comes alone afterwards mints nothing', async () => {
    const block = bench({ rule: 'field3' });
    const [one, other] = await block.signed('a', { subject: { field3: 1 } }, { subject: { field3: 2 } });
    await block.run(one);
    const [first] = await documentsOf(block, 'mint');
    const presentation = (await documentsOf(block, 'mint')).find(({ dataType }) => dataType === 'vp-documents');
    expect(first).toBeDefined();
    await expect(block.run(presentation)).rejects.toMatchObject({ code: 'CREDENTIAL_USED' });
    await block.run(other);
    expect((await minted(block)).amounts).toEqual(['1.0000', '2.0000']);
  });

  it('mints exactly what adding up decimals by hand gives', async () => {
    const block = bench({ rule: 'value' });
    const cents = fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cents, async (values) => {
        const texts = values.map(
          (value) => `${String(Math.floor(value / 10_000))}.${String(value % 10_000).padStart(4, '0')}`,
        );
        await block.run(await block.signed('a', ...texts.map((value) => ({ subject: { value } }))));
        const { amounts } = await minted(block);
        expect(
          amounts
            .at(-1)
            ?.replace('.', '')
            .replace(/^0+(?=\d)/, ''),
        ).toBe(String(values.reduce((sum, value) => sum + value, 0)));
      }),
      { numRuns: 10 },
    );
  });

  it('finds what its author left out', async () => {
    const findingPaths = async (options: Readonly<Record<string, unknown>>) =>
      (await bench(options).findings()).map(({ path }) => path.split('/').at(-1));
    expect(await findingPaths({})).toEqual([]);
    expect(await findingPaths({ tokenId: '', rule: '' })).toEqual(['tokenId', 'rule']);
    expect(await findingPaths({ useTemplate: true, rule: 'a +' })).toEqual(['template', 'rule']);
    expect(await findingPaths({ accountType: 'custom' })).toEqual(['accountId']);
    expect(await findingPaths({ accountType: 'custom-value', accountIdValue: 'x' })).toEqual(['accountIdValue']);
    expect(await findingPaths({ rule: 1, accountType: null, memo: null })).toEqual([]);
  });
});
