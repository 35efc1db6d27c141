import type { Json } from '@blockwork/core/block';
import type { BlockFragment } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { CERTIFICATES, signedBench, TOKEN, type SignedBench } from '../../test/signed-documents.js';
import { mintDocumentBlock } from './mint-document.js';
import { retirementDocumentBlock } from './retirement-document.js';

/** With a mint beside it, which gives the account ten tokens. */
async function bench(
  options: object = {},
  token = TOKEN,
  page: BlockFragment = { blockType: 'interfaceContainerBlock', tag: 'page' },
): Promise<SignedBench> {
  const account = { accountType: 'custom-value', accountIdValue: '0.0.8888' };
  const mint = {
    blockType: 'mintDocumentBlock',
    tag: 'mint',
    tokenId: token,
    rule: 'n',
    ...account,
    stopPropagation: true,
  };
  const block = signedBench(retirementDocumentBlock(), {
    options: { tokenId: TOKEN, rule: 'n', ...account, ...options },
    parent: { ...page, children: [mint] },
    blocks: [mintDocumentBlock()],
  });
  const documents = await block.signed('a', { subject: { n: 10 } });
  await block
    .as('OWNER')
    .at('mint')
    .event('RunEvent', documents as unknown as Json);
  return block;
}

async function balanceOf(of: SignedBench): Promise<string | undefined> {
  const { engine, policyId } = await of.open();
  return (await engine.program.ledger.getMintTotals(policyId, TOKEN)).accounts['0.0.8888'];
}

describe('retirementDocumentBlock', () => {
  it('destroys what the rule says, and gives evidence of it', async () => {
    const block = await bench();
    const [document] = await block.signed('a', { subject: { n: 2.5 } });
    await block.run(document);
    expect(await balanceOf(block)).toBe('75000');
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
    expect(await balanceOf(block)).toBe('90000');
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

describe('the serial numbers that are retired', () => {
  /** Ten certificates are there, with the serials 1 to 10. */
  const certificates = (serialNumbersExpression: string) =>
    bench({ tokenId: CERTIFICATES, rule: '', serialNumbersExpression }, CERTIFICATES);

  const wiped = async (block: SignedBench) => {
    const { engine, policyId } = await block.open();
    const { items } = await engine.program.ledger.listEffects(policyId);
    return items.filter(({ type }) => type === 'wipe').map(({ serials, amount }) => ({ serials, amount }));
  };

  it('are those of the expression: numbers, ranges and fields, each once', async () => {
    const block = await certificates('2, 5-6, first - first + 1, 6');
    await expect(block.findings()).resolves.toEqual([]);
    await block.run(await block.signed('a', { subject: { first: 8 } }));
    expect(await wiped(block)).toEqual([
      {
        serials: [
          [2, 2],
          [5, 6],
          [8, 9],
        ],
        amount: '5',
      },
    ]);
    const [evidence] = (await block.documents()).filter(({ type }) => type === 'retirement');
    expect(evidence).toMatchObject({ document: { credentialSubject: [{ type: 'WipeToken', amount: '5' }] } });
  });

  it('leave the others with their account, which can be retired later', async () => {
    const block = await certificates('from-to');
    await block.run(await block.signed('a', { subject: { from: 4, to: 5 } }));
    await block.run(await block.signed('a', { subject: { from: 1, to: 3 } }));
    await block.run(await block.signed('a', { subject: { from: 6, to: 10 } }));
    expect((await wiped(block)).flatMap(({ serials }) => serials)).toEqual([
      [4, 5],
      [1, 3],
      [6, 10],
    ]);
  });

  it.each<[string, Json, string, string]>([
    ['n', { n: 11 }, 'LEDGER_REFUSED', 'does not hold serial number 11'],
    ['9-n', { n: 12 }, 'LEDGER_REFUSED', 'does not hold serial number 11'],
    ['n', { n: 0 }, 'AMOUNT_INVALID', 'begin with 1'],
    ['n', { n: 1.5 }, 'AMOUNT_INVALID', 'whole numbers'],
    ['5-n', { n: 3 }, 'AMOUNT_INVALID', 'before its start'],
    ['n', { n: 'many' }, 'AMOUNT_INVALID', 'no number'],
  ])('are refused where they cannot be: %s of %j', async (expression, subject, code, message) => {
    const block = await certificates(expression);
    await expect(block.run(await block.signed('a', { subject: subject as object } as never))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
    expect(await wiped(block)).toEqual([]);
  });

  it.each(['1-2-3', '5-', '1 +'])('are found to be misspelt: %s', async (expression) => {
    const findings = await (await certificates(expression)).findings();
    expect(findings).toMatchObject([{ path: expect.stringContaining('/serialNumbersExpression') as string }]);
  });

  it('can be a variable of the module around', async () => {
    const variables = [{ name: 'Serials', type: 'String', description: '' }];
    const block = await bench({ tokenId: CERTIFICATES, rule: '', serialNumbersExpression: 'Serials' }, CERTIFICATES, {
      blockType: 'module',
      tag: 'page',
      variables,
      Serials: '3-4',
    });
    await block.run(await block.signed('a', { subject: { n: 1 } }));
    expect(await wiped(block)).toMatchObject([{ serials: [[3, 4]] }]);
  });
});
