import { describe, expect, it } from 'vitest';
import { signedBench, TOKEN, type SignedBench } from '../../test/signed-documents.js';
import { tokenActionBlock } from './token-action.js';

const ACCOUNT = '0.0.7777';
const own = { tokenId: TOKEN, accountType: 'custom', accountId: 'own' };
const before = (action: string) => ({
  ...own,
  blockType: 'tokenActionBlock',
  tag: action,
  action,
  stopPropagation: true,
});
const bench = (action: string, options: Readonly<Record<string, unknown>> = {}): SignedBench =>
  signedBench(tokenActionBlock, {
    options: { ...own, action, ...options },
    parent: { blockType: 'interfaceContainerBlock', tag: 'page', children: [before('associate'), before('grantKyc')] },
  });

const document = (account = ACCOUNT) => ({ owner: 'did:bench:a', accounts: { own: account }, document: { id: 'x' } });

async function relation(of: SignedBench, account = ACCOUNT) {
  const { engine, policyId } = await of.open();
  return engine.program.ledger.getRelation(policyId, TOKEN, account);
}

describe('tokenActionBlock', () => {
  it.each([
    ['associate', { associated: true }],
    ['freeze', { frozen: true }],
    ['grantKyc', { kyc: 'granted' }],
    ['revokeKyc', { kyc: 'revoked' }],
  ])('carries out %s on the account, and hands the run on', async (action, expected) => {
    const block = bench(action);
    expect(await relation(block)).toMatchObject({ associated: false, frozen: false, kyc: 'unset' });
    if (action !== 'associate') await block.as('OWNER').at('associate').event('RunEvent', document());
    if (action === 'revokeKyc') await block.as('OWNER').at('grantKyc').event('RunEvent', document());
    await block.run(document());
    expect(await relation(block)).toMatchObject(expected);
    expect(block.emitted.map(({ output }) => output)).toEqual(['RunEvent', 'RefreshEvent']);
  });

  it('leaves alone what is so already, and goes on', async () => {
    const block = bench('associate');
    await block.run(document());
    await block.run(document());
    const { engine, policyId } = await block.open();
    const effects = (await engine.program.ledger.listEffects(policyId)).items.filter(
      ({ type }) => type === 'associate',
    );
    expect(effects).toHaveLength(1);
    expect(block.emitted.filter(({ output }) => output === 'RunEvent')).toHaveLength(2);
  });

  it('acts on the accounts of all documents, each once', async () => {
    const block = bench('associate');
    await block.run([document(), document('0.0.8888'), document()]);
    expect(await relation(block)).toMatchObject({ associated: true });
    expect(await relation(block, '0.0.8888')).toMatchObject({ associated: true });
  });

  it('refuses a document without the account, a token that the policy does not know, and a run without a document', async () => {
    await expect(bench('associate', { accountId: 'other' }).run(document())).rejects.toThrow('Token recipient not set');
    await expect(bench('associate', { tokenId: '0.0.5' }).run(document())).rejects.toThrow('Bad token id');
    await expect(bench('associate').run(null)).rejects.toMatchObject({ code: 'DOCUMENT_MISSING' });
  });

  it('finds an action that does not exist, and what is left out', async () => {
    expect(await bench('burn').findings()).toMatchObject([{ severity: 'error', code: 'OPTIONS_INVALID' }]);
    expect(await bench('freeze', { tokenId: '', accountId: '' }).findings()).toHaveLength(2);
    expect(await bench('freeze', { accountType: '', accountId: null }).findings()).toEqual([]);
  });
});
