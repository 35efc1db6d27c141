import { describe, expect, it } from 'vitest';
import { signedBench, TOKEN, type SignedBench } from '../../test/signed-documents.js';
import { tokenActionBlock } from './token-action.js';
import { tokenConfirmationBlock } from './token-confirmation.js';

const ACCOUNT = '0.0.8888';
const options = { tokenId: TOKEN, action: 'associate', accountType: 'custom', accountId: 'accountId' };

function bench(more: object = {}): SignedBench {
  const by = { blockType: 'tokenActionBlock', tag: 'elsewhere', ...options, stopPropagation: true };
  return signedBench(tokenConfirmationBlock, {
    options: { ...options, ...more },
    parent: { blockType: 'interfaceContainerBlock', tag: 'page', children: [by] },
    blocks: [tokenActionBlock],
  });
}

const document = { id: 'd', owner: 'did:bench:boss', accounts: { accountId: ACCOUNT }, document: { id: 'x' } };

async function isAssociated(of: SignedBench): Promise<boolean> {
  const { engine, policyId } = await of.open();
  return (await engine.program.ledger.getRelation(policyId, TOKEN, ACCOUNT)).associated;
}

describe('tokenConfirmationBlock', () => {
  it('holds the run, and shows its user what waits for them', async () => {
    const block = bench();
    await block.as('Employer').event('RunEvent', document);
    expect(block.emitted).toEqual([]);
    const token = { tokenId: TOKEN, tokenName: 'Carbon', tokenSymbol: 'CO2', action: 'associate' };
    expect(await block.as('Employer').read()).toMatchObject({ ...token, accountId: ACCOUNT });
    expect(await block.as('Employee').read()).toMatchObject({ ...token, accountId: null });
  });

  it('acts and goes on with the held document when it is confirmed, once', async () => {
    const block = bench();
    await block.as('Employer').event('RunEvent', document);
    await block.as('Employer').send({ action: 'confirm', hederaAccountKey: '302e-key' });
    expect(await isAssociated(block)).toBe(true);
    expect(block.emitted).toMatchObject([
      { output: 'Confirm', data: { id: 'd' }, did: 'did:bench:employer' },
      { output: 'RefreshEvent' },
    ]);
    await expect(block.as('Employer').send({ action: 'confirm', hederaAccountKey: 'k' })).rejects.toMatchObject({
      code: 'NOTHING_TO_CONFIRM',
    });
  });

  it('keeps the key nowhere', async () => {
    const block = bench();
    await block.as('Employer').event('RunEvent', document);
    await block.as('Employer').send({ action: 'confirm', hederaAccountKey: 'secret-key' });
    const { engine, policyId } = await block.open();
    expect(
      JSON.stringify([await block.documents(), await engine.program.ledger.listEffects(policyId), block.emitted]),
    ).not.toContain('secret-key');
  });

  it('lets somebody skip who has done it elsewhere, and nobody else', async () => {
    const block = bench();
    await block.as('Employer').event('RunEvent', document);
    await expect(block.as('Employer').send({ action: 'skip' })).rejects.toThrow('not yet associated');
    await block.as('OWNER').at('elsewhere').event('RunEvent', document);
    await block.as('Employer').send({ action: 'skip' });
    expect(block.emitted[0]).toMatchObject({ output: 'Confirm' });
  });

  it('refuses anything else, and somebody for whom nothing waits', async () => {
    const block = bench();
    await block.as('Employer').event('RunEvent', document);
    await expect(block.as('Employer').send({ action: 'nope' })).rejects.toThrow('Invalid Action');
    await expect(block.as('Employer').send({ action: 'confirm' })).rejects.toThrow('Key value is unknown');
    await expect(block.as('Employee').send({ action: 'skip' })).rejects.toMatchObject({ code: 'NOTHING_TO_CONFIRM' });
    expect(block.emitted).toEqual([]);
    expect(await isAssociated(block)).toBe(false);
  });

  it('lets go of a token as well, and lets nobody skip that who still holds to it', async () => {
    const block = bench({ action: 'dissociate' });
    await block.as('OWNER').at('elsewhere').event('RunEvent', document);
    await block.as('Employer').event('RunEvent', document);
    await expect(block.as('Employer').send({ action: 'skip' })).rejects.toThrow(`The account ${ACCOUNT} is still`);
    await block.as('Employer').send({ action: 'confirm', hederaAccountKey: 'k' });
    expect(await isAssociated(block)).toBe(false);
    expect(block.emitted[0]).toMatchObject({ output: 'Confirm', data: { id: 'd' } });
  });

  it('refuses an empty key, at the place where it was sent', async () => {
    const block = bench();
    await block.as('Employer').event('RunEvent', document);
    for (const hederaAccountKey of ['', null]) {
      await expect(block.as('Employer').send({ action: 'confirm', hederaAccountKey })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        details: [{ path: '/hederaAccountKey', message: 'Key value is unknown' }],
      });
    }
  });

  it('holds nothing without a document, a known token and an account', async () => {
    await expect(bench().as('Employer').event('RunEvent', null)).rejects.toMatchObject({ code: 'DOCUMENT_MISSING' });
    const unknown = bench({ tokenId: '0.0.404' });
    await expect(unknown.as('Employer').event('RunEvent', document)).rejects.toMatchObject({ code: 'TOKEN_UNKNOWN' });
    const nobody = { ...document, accounts: {} };
    await expect(bench().as('Employer').event('RunEvent', nobody)).rejects.toMatchObject({ code: 'RECIPIENT_UNKNOWN' });
  });
});
