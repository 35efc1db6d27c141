import type { Finding } from '@blockwork/core';
import type { BlockType } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { signedBench, TOKEN } from '../../test/signed-documents.js';
import { createTokenBlock } from './create-token.js';
import { impactAddon } from './impact-addon.js';
import { mintDocumentBlock } from './mint-document.js';
import { retirementDocumentBlock } from './retirement-document.js';
import { tokenActionBlock } from './token-action.js';
import { tokenConfirmationBlock } from './token-confirmation.js';

type Options = Readonly<Record<string, unknown>>;

const parentOf: Readonly<Record<string, string>> = { impactAddon: 'mintDocumentBlock' };

/** Findings for the policy's author: the block's own checks and dangling references. */
async function findingsOf(block: BlockType, options: Options): Promise<readonly Finding[]> {
  const blockType = parentOf[block.type] ?? 'interfaceContainerBlock';
  const around = { blockType, tag: 'around', ...(blockType === 'mintDocumentBlock' && { tokenId: TOKEN, rule: '1' }) };
  const bench = signedBench(block, {
    options: { tag: 'mine', ...options },
    blocks: [mintDocumentBlock()],
    parent: around,
    policy: { policyTokens: [{ templateTokenTag: 'credit' }] },
  });
  const { engine, policyId, owner } = await bench.open();
  return (await engine.getFindings(owner, policyId)).filter(({ tag }) => tag === 'mine');
}

const pathsOf = async (block: BlockType, options: Options): Promise<unknown[]> =>
  (await findingsOf(block, options)).map(({ path }) => path.split('/').at(-1));

const shared: readonly [BlockType, Options][] = [
  [mintDocumentBlock(), { rule: '1' }],
  [retirementDocumentBlock(), { rule: '1' }],
  [tokenActionBlock, { action: 'freeze' }],
  [tokenConfirmationBlock, { action: 'associate' }],
];

describe.each(shared.map(([block, needed]) => [block.type, block, needed] as const))('%s', (_, block, needed) => {
  const findingPaths = (options: Options): Promise<unknown[]> =>
    pathsOf(block, { tokenId: TOKEN, ...needed, ...options });

  it('works with a token of the policy, or a template of it', async () => {
    expect(await findingPaths({})).toEqual([]);
    expect(await findingPaths({ tokenId: '', useTemplate: true, template: 'credit' })).toEqual([]);
    expect(await findingPaths({ tokenId: '0.0.404', useTemplate: 'true', template: 'credit' })).toEqual([]);
  });

  it('says which token it means, or which template', async () => {
    expect(await findingPaths({ tokenId: '' })).toEqual(['tokenId']);
    expect(await findingPaths({ useTemplate: true })).toEqual(['template']);
  });

  it('names a token or template that the policy has', async () => {
    expect(await findingsOf(block, { ...needed, tokenId: '0.0.404' })).toMatchObject([
      {
        severity: 'error',
        code: 'REFERENCE_UNKNOWN',
        message: '"mine" names the token "0.0.404", which the policy does not have.',
      },
    ]);
    expect(await findingsOf(block, { ...needed, useTemplate: true, template: 'debit' })).toMatchObject([
      { severity: 'error', code: 'REFERENCE_UNKNOWN', path: expect.stringMatching(/\/template$/) as string },
    ]);
  });

  it('says whose account it means', async () => {
    expect(await findingPaths({ accountType: 'custom' })).toEqual(['accountId']);
    expect(await findingPaths({ accountType: 'custom', accountId: 'own' })).toEqual([]);
    expect(await findingPaths({ accountType: 'custom-value', accountIdValue: '' })).toEqual(['accountIdValue']);
    for (const accountIdValue of ['0.0', '0.0.x', 'x0.0.1', '0.0.1 ', '0.0.1.2', `0.0.${'1'.repeat(20)}`]) {
      expect(await findingPaths({ accountType: 'custom-value', accountIdValue })).toEqual(['accountIdValue']);
    }
    expect(await findingPaths({ accountType: 'custom-value', accountIdValue: '0.0.1234' })).toEqual([]);
    expect(await findingPaths({ accountType: 'nobody' })).toEqual(['accountType']);
  });

  it('says in a message what is wrong with which option of which block', async () => {
    const [finding] = await findingsOf(block, { ...needed, tokenId: '' });
    expect(finding).toMatchObject({
      severity: 'error',
      code: 'OPTIONS_INVALID',
      message: 'The option tokenId of "mine" cannot be used: it is missing. Name a token of the policy.',
    });
  });
});

it.each([
  ['mintDocumentBlock', mintDocumentBlock()],
  ['retirementDocumentBlock', retirementDocumentBlock()],
])('%s has a rule that can be worked out', async (_, block) => {
  const findingPaths = (rule: unknown): Promise<unknown[]> => pathsOf(block, { tokenId: TOKEN, rule });
  expect(await findingPaths('field1 / 2')).toEqual([]);
  expect(await findingPaths(2)).toEqual([]);
  expect(await findingPaths('')).toEqual(['rule']);
  expect(await findingPaths(null)).toEqual(['rule']);
  expect(await findingPaths('field1 /')).toEqual(['rule']);
  expect(await findingPaths({})).toEqual(['rule']);
});

it.each([
  ['tokenActionBlock', tokenActionBlock, ['associate', 'dissociate', 'freeze', 'unfreeze', 'grantKyc', 'revokeKyc']],
  ['tokenConfirmationBlock', tokenConfirmationBlock, ['associate', 'dissociate']],
])('%s has an action that it can carry out', async (_, block, actions) => {
  for (const action of actions) expect(await pathsOf(block, { tokenId: TOKEN, action })).toEqual([]);
  expect(await pathsOf(block, { tokenId: TOKEN, action: 'burn' })).toEqual(['action']);
  expect(await pathsOf(block, { tokenId: TOKEN })).toEqual(['action']);
});

it('impactAddon has a type and an amount that can be worked out', async () => {
  const works = { impactType: 'Primary Impacts', amount: 'field1 * 2' };
  expect(await pathsOf(impactAddon(), works)).toEqual([]);
  expect(await pathsOf(impactAddon(), { ...works, impactType: 'Secondary Impacts' })).toEqual([]);
  expect(await pathsOf(impactAddon(), {})).toEqual(['impactType', 'amount']);
  expect(await pathsOf(impactAddon(), { ...works, amount: '1 +' })).toEqual(['amount']);
  expect(await findingsOf(impactAddon(), { ...works, impactType: 'Other' })).toMatchObject([
    { message: 'The option impactType of "mine" cannot be used: it must be "Primary Impacts" or "Secondary Impacts".' },
  ]);
});

it('createTokenBlock has a template of the policy', async () => {
  expect(await pathsOf(createTokenBlock, { template: 'credit' })).toEqual([]);
  expect(await findingsOf(createTokenBlock, {})).toMatchObject([{ code: 'OPTIONS_INVALID' }]);
  expect(await findingsOf(createTokenBlock, { template: 'debit' })).toMatchObject([{ code: 'REFERENCE_UNKNOWN' }]);
});
