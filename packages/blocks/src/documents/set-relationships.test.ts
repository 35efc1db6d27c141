import type { Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { setRelationshipsBlock } from './set-relationships.js';

const organisations = [
  credential('a', BOB.did, {}, { group: BOB.group, accounts: { accountId: '0.0.1', default: '0.0.10' } }),
  credential('b', 'did:test:eve', {}, { accounts: { accountId: '0.0.2' }, tokens: { credit: '0.0.9' } }),
];

const tying = (options: JsonObject, filters: JsonObject[] = []): BlockBench =>
  blockBench(setRelationshipsBlock, {
    options,
    children: [{ blockType: 'documentsSourceAddon', tag: 'all', dataType: 'vc-documents', permissions: [], filters }],
    documents: organisations,
  });

const report = { owner: ANN.did, relationships: ['1.a', '1.x'], accounts: { default: '0.0.99', mine: '0.0.3' } };
const run = (bench: BlockBench, data: unknown): Promise<void> => bench.as(ANN).event('RunEvent', data as Json);
const asDocument = (more: JsonObject = {}): JsonObject => ({ ...report, document: {}, ...more });

describe('setting relationships', () => {
  it('adds the messages of its own sources, each once, and stores nothing', async () => {
    const bench = tying({});
    await run(bench, asDocument());
    expect(sent(bench)).toEqual([asDocument({ relationships: ['1.a', '1.x', '1.b'] })]);
    expect(bench.emitted.map(({ output }) => output)).toEqual(['RunEvent', 'ReleaseEvent']);
    expect(await bench.documents()).toHaveLength(2);
  });

  it('takes accounts and tokens from the last that has them, in place of those of the document', async () => {
    const bench = tying({ includeAccounts: true, includeTokens: true });
    await run(bench, asDocument());
    expect(sent(bench)[0]).toMatchObject({
      owner: ANN.did,
      accounts: { accountId: '0.0.2', default: '0.0.10', mine: '0.0.3' },
      tokens: { credit: '0.0.9' },
    });
  });

  it('gives the document to the owner of the first one, with that owner’s account', async () => {
    const bench = tying({ includeAccounts: true, changeOwner: true });
    await run(bench, [asDocument()]);
    expect(sent(bench)[0]).toMatchObject([
      { owner: BOB.did, group: BOB.group, accounts: { accountId: '0.0.2', default: '0.0.10', mine: '0.0.3' } },
    ]);
  });

  it('changes nothing where its sources have nothing', async () => {
    const bench = tying({ changeOwner: true, includeAccounts: true }, [
      { type: 'equal', field: 'type', value: 'none' },
    ]);
    await run(bench, asDocument());
    expect(sent(bench)[0]).toMatchObject({ owner: ANN.did, relationships: ['1.a', '1.x'], accounts: report.accounts });
  });
});
