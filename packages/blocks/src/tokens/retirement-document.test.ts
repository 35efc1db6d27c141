import type { Json } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { signedBench, TOKEN, type SignedBench } from '../../test/signed-documents.js';
import { mintDocumentBlock } from './mint-document.js';
import { retirementDocumentBlock } from './retirement-document.js';

/** With a mint beside it, which gives the account ten tokens. */
async function bench(options: object = {}): Promise<SignedBench> {
  const account = { accountType: 'custom-value', accountIdValue: '0.0.8888' };
  const mint = {
    blockType: 'mintDocumentBlock',
    tag: 'mint',
    tokenId: TOKEN,
    rule: 'n',
    ...account,
    stopPropagation: true,
  };
  const block = signedBench(retirementDocumentBlock(), {
    options: { tokenId: TOKEN, rule: 'n', ...account, ...options },
    parent: { blockType: 'interfaceContainerBlock', tag: 'page', children: [mint] },
    blocks: [mintDocumentBlock()],
  });
  const documents = await block.signed('a', { subject: { n: 10 } });
  await block
    .as('OWNER')
    .at('mint')
    .event('RunEvent', documents as unknown as Json);
  return block;
}

async function held(of: SignedBench): Promise<string | undefined> {
  const { engine, policyId } = await of.open();
  return (await engine.program.ledger.getMintTotals(policyId, TOKEN)).accounts['0.0.8888'];
}

describe('retirementDocumentBlock', () => {
  it('destroys what the rule says, and gives evidence of it', async () => {
    const block = await bench();
    const [document] = await block.signed('a', { subject: { n: 2.5 } });
    await block.run(document);
    expect(await held(block)).toBe('75000');
    const evidence = (await block.documents()).filter(({ type }) => type === 'retirement');
    expect(evidence).toMatchObject([
      {
        dataType: 'vc-documents',
        document: { credentialSubject: [{ type: 'WipeToken', tokenId: TOKEN, amount: '2.5000' }] },
      },
      { dataType: 'vp-documents', relationships: [document?.messageId, evidence[0]?.messageId] },
    ]);
    expect(block.emitted.map(({ output }) => output)).toEqual(['RunEvent', 'RefreshEvent']);
  });

  it('destroys nothing that is not there, nothing for a changed document, and nothing twice', async () => {
    const block = await bench();
    await expect(block.run(await block.signed('a', { subject: { n: 11 } }))).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
    });
    await expect(block.run(await block.signed('a', { subject: { n: 1 }, forged: { n: 2 } }))).rejects.toThrow(
      'Invalid VC proof',
    );
    const documents = await block.signed('a', { subject: { n: 1 } });
    await block.run(documents);
    await expect(block.run(documents)).rejects.toMatchObject({ code: 'CREDENTIAL_USED' });
    expect(await held(block)).toBe('90000');
  });

  it('names the presentation on the ledger, with what the policy wants said beside it, and goes on as the owner', async () => {
    const block = await bench({ memo: 'claimed' });
    const [document] = await block.signed('a', { subject: { n: 1 } });
    await block.run(document);
    const presentation = (await block.documents()).find(({ type, dataType }) => {
      return type === 'retirement' && dataType === 'vp-documents';
    });
    const { engine, policyId } = await block.open();
    const { items } = await engine.program.ledger.listEffects(policyId);
    expect(items.filter(({ type }) => type === 'wipe')).toMatchObject([
      { memo: `${presentation?.messageId ?? ''} claimed` },
    ]);
    expect(block.emitted[0]).toMatchObject({ output: 'RunEvent', did: 'did:bench:a', data: { id: document?.id } });
  });
});
