/** A registry's day: policies of other people are imported, tried and published, and one is walked from a role to minted tokens. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import type { ConsolePage } from './support/console-page.js';
import { alice, owner } from './support/console-world.js';
import { fillForm } from './support/fill-form.js';
import { openJourney, type Journey } from './support/journey.js';

const folder = process.env['BLOCKWORK_REAL_POLICIES'];
if (folder === undefined) console.warn('Journeys through real policies are skipped. Set BLOCKWORK_REAL_POLICIES.');

describe.skipIf(chromiumPath === undefined || folder === undefined)('The console, with real policies,', () => {
  let journey: Journey;
  let window: ConsolePage;
  let page: Page;
  const file = (name: string): string => join(folder ?? '', name);

  beforeAll(async () => {
    journey = await openJourney({ at: () => '/policies', people: [alice, owner] });
    ({ window, page } = journey);
  });

  afterAll(async () => journey.close());

  const importFile = async (name: string): Promise<void> => {
    await window.open('/policies');
    await page.getByLabel('Import a policy').setInputFiles(file(name));
    await page.getByRole('link', { name: 'Findings' }).waitFor();
  };

  it('imports one after the other', async () => {
    for (const name of ['irec-1.policy', 'tymlez-cet.policy', 'irec-8-1-impact.policy']) await importFile(name);
    await window.open('/policies');
    await page.getByRole('link', { name: 'iRec_8' }).waitFor();
    const names = await page.getByRole('rowheader').allTextContents();
    expect(names).toHaveLength(4);
  });

  it('plays one from choosing a role to minted tokens', async () => {
    await page.getByRole('link', { name: 'iRec_8' }).click();
    await page.getByRole('button', { name: 'Start dry run' }).click();
    await page.getByText('Dry run', { exact: true }).waitFor();
    const tab = async (name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click();
    const send = async (): Promise<void> => {
      await fillForm(page);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('form.rjsf').waitFor({ state: 'detached' });
    };
    const approve = async (tabName: string): Promise<void> => {
      await window.actAs('registry');
      await tab(tabName);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' });
      await window.actAs('alice');
    };
    await window.actAs('alice');
    await page.getByRole('button', { name: 'Registrant' }).click();
    await send();
    await approve('Applications');
    await tab('Devices');
    await page.getByRole('button', { name: 'Create New Device' }).click();
    expect(await page.getByLabel('Registrant Id').inputValue()).toBe(alice.did);
    await send();
    await approve('Devices');
    await tab('Devices');
    await page
      .getByRole('button', { name: /request/i })
      .first()
      .click();
    await send();
    await approve('Issue Requests');
    await window.actAs('registry');
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByText('12 in 1 mint').waitFor();
  });
});
