import { describe, expect, it } from 'vitest';
import { signedBench, type SignedBench } from '../../test/signed-documents.js';
import { createTokenBlock } from './create-token.js';

const template = {
  templateTokenTag: 'credit',
  tokenName: 'Credit',
  tokenSymbol: '',
  tokenType: 'fungible',
  decimals: '',
  enableKYC: true,
};

const bench = (options: object = {}, written: object = {}): SignedBench =>
  signedBench(createTokenBlock, {
    options: { template: 'credit', ...options },
    policy: { policyTokens: [{ ...template, ...written }] },
  });

const document = { id: 'd', owner: 'did:bench:a', tokens: { other: '0.0.1' }, document: { id: 'x' } };

async function tokensOf(of: SignedBench): Promise<unknown[]> {
  const { engine, policyId } = await of.open();
  return (await engine.program.ledger.listTokens(policyId)).filter(({ tokenName }) => tokenName === 'Credit');
}

describe('createTokenBlock', () => {
  it('shows what the template says, without what it leaves blank', async () => {
    const block = bench();
    expect(await block.as('Maker').read()).toMatchObject({
      active: false,
      data: { templateTokenTag: 'credit', tokenName: 'Credit', tokenType: 'fungible', enableKYC: true },
    });
    expect(await block.as('Maker').read()).not.toHaveProperty('data.tokenSymbol');
  });

  it('makes the token from the template and what the user adds, and notes it on the document', async () => {
    const block = bench();
    await block.as('Maker').event('RunEvent', document);
    expect(block.emitted).toEqual([]);
    expect(await block.as('Maker').read()).toMatchObject({ active: true });
    await block
      .as('Maker')
      .send({ tokenName: 'Mine', tokenSymbol: 'CRD', decimals: '3', enableKYC: false, owner: 'x' });
    const tokens = await tokensOf(block);
    expect(tokens).toMatchObject([
      { tokenName: 'Credit', tokenSymbol: 'CRD', tokenType: 'fungible', decimals: 3, source: { enableKYC: true } },
    ]);
    expect(block.emitted).toMatchObject([
      {
        output: 'RunEvent',
        data: { id: 'd', tokens: { other: '0.0.1', credit: (tokens as { id: string }[])[0]?.id } },
      },
      { output: 'RefreshEvent' },
    ]);
    await expect(block.as('Maker').send({ tokenSymbol: 'CRD' })).rejects.toMatchObject({ code: 'NOTHING_TO_CONFIRM' });
  });

  it('refuses a token that is not complete, and goes on waiting', async () => {
    const block = bench();
    await block.as('Maker').event('RunEvent', document);
    await expect(block.as('Maker').send({ decimals: 2 })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      details: [{ path: '/tokenSymbol' }],
    });
    await expect(block.as('Maker').send({ tokenSymbol: 'C', decimals: 40 })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    expect(await tokensOf(block)).toEqual([]);
    expect(await block.as('Maker').read()).toMatchObject({ active: true });
  });

  it('asks nobody where the template says everything and the policy wants it so', async () => {
    const block = bench({ autorun: true }, { tokenSymbol: 'CRD', decimals: '2' });
    await block.as('Maker').event('RunEvent', [document, document]);
    expect(await tokensOf(block)).toMatchObject([{ decimals: 2 }]);
    expect(block.emitted[0]?.data).toHaveLength(2);
  });

  it('finds a block without a template, and fails where the policy has none of that name', async () => {
    expect(await bench({ template: '' }).findings()).toMatchObject([{ code: 'OPTIONS_INVALID', severity: 'error' }]);
    await expect(bench({ template: 'other' }).as('Maker').read()).rejects.toMatchObject({
      code: 'BLOCK_MISCONFIGURED',
    });
  });
});
