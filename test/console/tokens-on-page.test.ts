/** Tokens on the page of a policy: people confirm what happens to their account, and complete tokens that are made. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';

const open = { permissions: ['ANY_ROLE'], defaultActive: true };
const SITE = '#5a1e0000-0000-4000-8000-000000000011';
const account = '0.0.8888';
const tokenId = '0.0.5001';

const site = {
  $id: SITE,
  type: 'object',
  properties: { site: { type: 'string', title: 'Site' } },
  required: ['site'],
};

const to = (target: string): object => ({ source: 'site', output: 'RunEvent', target, input: 'RunEvent', actor: '' });

const policy = {
  name: 'Tokens',
  policyRoles: [],
  schemas: [{ iri: SITE, name: 'Site', document: site }],
  tokens: [{ tokenId, tokenName: '<b>Credit</b>', tokenSymbol: 'CRD', tokenType: 'fungible', decimals: 2 }],
  policyTokens: [{ templateTokenTag: 'credit', tokenName: '', tokenSymbol: 'SUN', tokenType: '', enableKYC: true }],
  config: {
    ...{ blockType: 'interfaceContainerBlock', tag: 'root', ...open, uiMetaData: { type: 'blank' } },
    children: [
      {
        ...{ blockType: 'tokenConfirmationBlock', tag: 'confirm', ...open, action: 'associate' },
        ...{ tokenId, accountType: 'custom-value', accountIdValue: account, uiMetaData: { title: 'Consent' } },
      },
      {
        ...{ blockType: 'createTokenBlock', tag: 'make', ...open, template: 'credit', stopPropagation: true },
        uiMetaData: { type: 'page', title: 'A token of your own', description: 'One for each site.' },
      },
      {
        ...{ blockType: 'requestVcDocumentBlock', tag: 'site', ...open, schema: SITE, idType: 'UUID' },
        ...{ stopPropagation: true, events: [to('confirm'), to('make')] },
      },
    ],
  },
};

describe.skipIf(chromiumPath === undefined)('The page of a policy with tokens', () => {
  let journey: Journey;
  let page: Page;
  let policyId: string;

  const before = async ({ engine }: ConsoleWorld): Promise<void> => {
    const { policy: imported } = await engine.importPolicy(owner, policy);
    policyId = imported.id;
    await engine.lifecycle.dryRun(owner, policyId);
  };
  const isAssociated = async (): Promise<boolean> =>
    (await journey.world.engine.program.ledger.getRelation(policyId, tokenId, account)).associated;
  const sendSite = async (): Promise<unknown> =>
    journey.world.engine.sendToBlock(alice, policyId, { tag: 'site' }, { document: { site: 'Hill 7' }, ref: null });

  beforeAll(async () => {
    journey = await openJourney({ before });
    ({ page } = journey);
    await journey.window.open(`/policies/${policyId}/page`);
    await journey.window.signIn(alice);
  });
  afterAll(async () => journey.close());

  it('asks for a confirmation only when one is pending, and then at once', async () => {
    await page.getByText('No confirmations are pending.').waitFor();
    await page.getByText('No token is waiting to be created.').waitFor();
    await sendSite();
    await page.getByText(`Confirm that your account ${account} is associated with <b>Credit</b>.`).waitFor();
    await page.getByLabel('Decimal places').waitFor();
    await expectNothingFromAxe(page);
  });

  it('explains a pending confirmation, and confirms with a key', async () => {
    await page.getByRole('button', { name: 'Already done elsewhere' }).click();
    await page.getByRole('alert').getByText('not yet associated').waitFor();
    expect(await isAssociated()).toBe(false);
    const key = page.getByLabel('Account key');
    expect(await key.getAttribute('type')).toBe('password');
    await key.fill('302e-key');
    await page.keyboard.press('Enter');
    await page.getByText('No confirmations are pending.').waitFor();
    expect(await isAssociated()).toBe(true);
  });

  it('creates a token from the template of the policy and the remaining input', async () => {
    expect(await page.getByRole('definition').allTextContents()).toEqual(['SUN', 'yes']);
    await page.getByLabel('Name', { exact: true }).fill('Hill credit');
    await page.getByLabel('Decimal places').fill('3');
    await page.getByLabel('Type').selectOption('Non-fungible');
    await page.getByLabel('Decimal places').waitFor({ state: 'detached' });
    await page.getByLabel('Type').selectOption('Fungible');
    await page.getByLabel('Accounts can be frozen').check();
    await page.getByRole('button', { name: 'Create the token' }).click();
    await page.getByText('No token is waiting to be created.').waitFor();
    const tokens = await journey.world.engine.program.ledger.listTokens(policyId);
    expect(tokens.find(({ tokenName }) => tokenName === 'Hill credit')).toMatchObject({
      ...{ tokenSymbol: 'SUN', tokenType: 'fungible', decimals: 3 },
      source: { enableKYC: true, enableFreeze: true },
    });
    expect(journey.window.watched.problems).toEqual([]);
  });
});
