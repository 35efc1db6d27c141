/** Why (not)? A reason of each kind, in words that need no manual. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';

let count = 0;
const block = (blockType: string, tag: string, rest: object = {}) => ({
  id: `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
  ...{ blockType, tag, permissions: ['ANY_ROLE'], defaultActive: true, ...rest },
});
const source = (tag: string, rest: object) => block('documentsSourceAddon', tag, { dataType: 'vc-documents', ...rest });
const status = (value: string) => [{ type: 'equal', field: 'option.status', value }];

const policy = {
  name: 'Reasons',
  policyRoles: ['Applicant', 'Verifier'],
  policyGroups: ['Applicant', 'Verifier'].map((role) => ({
    ...{ name: role, creator: role, members: [role] },
    ...{ groupAccessType: 'Private', groupRelationshipType: 'Multiple' },
  })),
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('policyRolesBlock', 'join', { permissions: ['ANY_ROLE', 'NO_ROLE'], groups: ['Applicant', 'Verifier'] }),
      block('informationBlock', 'applicants', { permissions: ['Applicant'] }),
      block('informationBlock', 'verifiers', { permissions: ['Verifier'] }),
      block('interfaceStepBlock', 'steps', {
        children: [block('informationBlock', 'first'), block('informationBlock', 'second')],
      }),
      block('informationBlock', 'later', { dependencies: ['second'] }),
      block('interfaceDocumentsSourceBlock', 'grid', {
        children: [
          source('approved', { filters: status('Approved') }),
          source('mine', { onlyOwnDocuments: true }),
          source('everything', {}),
          source('for_verifiers', { permissions: ['Verifier'] }),
          source('after_second', { dependencies: ['second'] }),
          block('paginationAddon', 'paging', { defaultActive: false }),
        ],
      }),
    ],
  }),
};

describe.skipIf(chromiumPath === undefined)('"Why (not)?" explains', () => {
  let journey: Journey;
  let page: Page;
  let policyId: string;

  const before = async ({ engine }: ConsoleWorld): Promise<void> => {
    policyId = (await engine.importPolicy(owner, policy)).policy.id;
    await engine.lifecycle.dryRun(owner, policyId);
    for (const group of ['Applicant', 'Verifier'])
      await engine.sendToBlock(alice, policyId, { tag: 'join' }, { group, label: group });
    const document = { owner: alice.did, option: { status: 'Waiting' }, document: { kind: 'sun' } };
    await engine.program.documents.add(policyId, [{ id: 'waiting', ...document }]);
  };

  beforeAll(async () => {
    journey = await openJourney({ at: () => '/policies', people: [owner, alice], before });
    ({ page } = journey);
  });

  afterAll(async () => journey.close());

  const open = async (tag: string): Promise<void> => {
    const { uuid } = await journey.world.engine.findBlock(owner, policyId, tag);
    await journey.window.open(`/policies/${policyId}/live/${uuid}`);
    await page.getByRole('heading', { name: tag, exact: true }).waitFor();
  };
  const stop = (tag: string) =>
    page.getByRole('region', { name: 'Why (not)?' }).locator('.step.stops', { hasText: tag });

  it.each([
    ['verifiers', 'The role is permitted in a group that is not active.'],
    ['second', 'Another step comes first.'],
    ['later', 'Another block must be completed first.'],
    ['paging', 'It is switched off.'],
  ])('why %s is not open to alice: %s', async (tag, words) => {
    await open(tag);
    await stop(tag).getByText(words).waitFor();
    expect(await page.locator('.step.stops').count()).toBe(1);
  });

  it('that a block is for other roles, or that it is open', async () => {
    await journey.window.actAs('registry');
    await open('applicants');
    await stop('applicants').getByText('Other roles only.').waitFor();
    await journey.window.actAs('alice');
    await page.getByRole('region', { name: 'Why (not)?' }).getByText('Open', { exact: true }).waitFor();
    expect(await page.locator('.step.stops').count()).toBe(0);
  });

  it('which source of a grid selects a document, and why the others do not', async () => {
    await open('grid');
    const why = page.getByRole('region', { name: 'Why is a document (not) here?' });
    await why.getByRole('textbox').fill('waiting');
    await why.getByRole('button', { name: 'Ask' }).click();
    await why.getByText('Shown to you', { exact: true }).waitFor();
    for (const [tag, words] of [
      ['approved', 'leaves it out.'],
      ['mine', 'shows it.'],
      ['everything', 'would show it, but an earlier source already does.'],
      ['for_verifiers', 'would show it, but an earlier source already does.'],
      ['after_second', 'is not active.'],
    ] as const)
      await why.getByRole('listitem').filter({ hasText: tag }).getByText(words).waitFor();
  });
});
