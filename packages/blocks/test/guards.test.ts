/** Blocks whose options say what is let through: an option that this engine does not know keeps them shut. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, type Caller, type Finding, type PolicyEngine } from '@blockwork/core';
import { block } from '@blockwork/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const member: Caller = { did: 'did:example:member', role: 'USER' };

let engine: PolicyEngine;
beforeAll(() => {
  engine = createEngine({ blocks: standardBlocks() });
});
afterAll(() => engine.close());

const policyWith = (...children: object[]) => ({
  name: 'Guarded',
  policyRoles: ['Member'],
  config: block('interfaceContainerBlock', 'root', { permissions: ['ANY_ROLE'], children }),
});

/** The errors about options that are unknown, by path below the block. */
async function unknownOptions(blockType: string, options: Readonly<Record<string, unknown>>): Promise<string[]> {
  const { policy } = await engine.importPolicy(owner, policyWith(block(blockType, 'guard', options)));
  const findings = await engine.getFindings(owner, policy.id);
  return pathsOf(findings.filter(({ code }) => code === 'OPTION_UNKNOWN'));
}

const pathsOf = (findings: readonly Finding[]): string[] =>
  findings.map(({ severity, path }) => `${severity} ${path.replace('/children/0', '')}`);

const guards: [blockType: string, inside: Readonly<Record<string, unknown>>, path: string][] = [
  ['documentValidatorBlock', { conditions: [{ type: 'equal', zone: 1 }] }, '/conditions/0/zone'],
  ['requestValidationAddon', { validations: [{ filters: [{ zone: 1 }] }] }, '/validations/0/filters/0/zone'],
  ['requestValidationAddon', { validations: [{ conditions: [{ zone: 1 }] }] }, '/validations/0/conditions/0/zone'],
  ['requestValidationAddon', { validations: [{ zone: 1 }] }, '/validations/0/zone'],
  ['switchBlock', { conditions: [{ type: 'equal', zone: 1 }] }, '/conditions/0/zone'],
  ['documentsSourceAddon', { filters: [{ type: 'equal', zone: 1 }] }, '/filters/0/zone'],
  ['buttonBlock', { uiMetaData: { buttons: [{ filters: [{ zone: 1 }] }] } }, '/uiMetaData/buttons/0/filters/0/zone'],
  ['calculateMathVariables', { selectors: [{ zone: 1 }] }, '/selectors/0/zone'],
  ['aggregateDocumentBlock', { groupByFields: [{ zone: 1 }] }, '/groupByFields/0/zone'],
  ['selectiveAttributes', { attributes: [{ zone: 1 }] }, '/attributes/0/zone'],
  ['globalEventsReaderBlock', { branches: [{ zone: 1 }] }, '/branches/0/zone'],
];

describe('an option that a guard does not know', () => {
  it.each([
    'aggregateDocumentBlock',
    'calculateMathVariables',
    'createTokenBlock',
    'documentValidatorBlock',
    'documentsSourceAddon',
    'externalDataBlock',
    'externalTopicBlock',
    'globalEventsReaderBlock',
    'groupManagerBlock',
    'impactAddon',
    'mintDocumentBlock',
    'multiSignBlock',
    'policyRolesBlock',
    'requestValidationAddon',
    'retirementDocumentBlock',
    'selectiveAttributes',
    'switchBlock',
    'tokenActionBlock',
    'tokenConfirmationBlock',
    'uploadVcDocumentBlock',
  ])('is an error in %s', async (blockType) => {
    expect(await unknownOptions(blockType, { unlessRevokedBefore: true })).toEqual(['error /unlessRevokedBefore']);
  });

  it.each(guards)('is an error in %s inside %j', async (blockType, inside, path) => {
    expect(await unknownOptions(blockType, inside)).toEqual([`error ${path}`]);
  });

  it('of a newer source is an error: the documents of others would show', async () => {
    const options = { dataType: 'vc-documents', onlyOwnerOrgDocuments: true };
    expect(await unknownOptions('documentsSourceAddon', options)).toEqual(['error /onlyOwnerOrgDocuments']);
  });

  it('is information in a block that guards nothing, and no finding in what front ends show', async () => {
    expect(await unknownOptions('sendToGuardianBlock', { dataSource: 'database', forceNew: true })).toEqual([]);
    expect(await unknownOptions('buttonBlock', { uiMetaData: { buttons: [{ uiClass: 'btn', hidden: 1 }] } })).toEqual(
      [],
    );
  });

  it('keeps the policy from being tried or published', async () => {
    const validator = block('documentValidatorBlock', 'guard', { onlyVerifiedBy: 'VVB' });
    const { policy } = await engine.importPolicy(owner, policyWith(validator));
    const unknown = expect.arrayContaining([expect.objectContaining({ code: 'OPTION_UNKNOWN', severity: 'error' })]);
    const refused = { isValid: false, findings: unknown, policy: { status: 'DRAFT' } };
    expect(await engine.lifecycle.dryRun(owner, policy.id)).toMatchObject(refused);
    expect(await engine.lifecycle.publish(owner, policy.id, '1.0.0')).toMatchObject(refused);
  });

  it('keeps the block shut, even if the policy was published before', async () => {
    const grid = block('interfaceDocumentsSourceBlock', 'grid', {
      permissions: ['ANY_ROLE'],
      children: [
        block('documentsSourceAddon', 'source', {
          permissions: ['ANY_ROLE'],
          dataType: 'vc-documents',
          onlyOwnerOrgDocuments: true,
        }),
      ],
    });
    const { policy } = await engine.importPolicy(owner, policyWith(grid));
    await expect(engine.readBlock(owner, policy.id, { tag: 'grid' })).rejects.toMatchObject({
      code: 'BLOCK_MISCONFIGURED',
      message: expect.stringContaining('onlyOwnerOrgDocuments') as string,
    });
    await expect(engine.readBlock(member, policy.id, { tag: 'grid' })).rejects.toThrow();
  });
});

it('a step with options that are not valid opens none of its children', async () => {
  const page = block('informationBlock', 'page', { permissions: ['ANY_ROLE'] });
  const step = block('interfaceStepBlock', 'step', { permissions: ['ANY_ROLE'], finalBlocks: 5, children: [page] });
  const { policy } = await engine.importPolicy(owner, policyWith(step));
  await expect(engine.readBlock(owner, policy.id, { tag: 'page' })).rejects.toMatchObject({ code: 'BLOCK_NOT_ACTIVE' });
});
