/** What there is: documents with the chain of trust behind them, tokens with their holders, timers; and the journal, searched. */
import { readFile } from 'node:fs/promises';
import { verifyBundle } from '@blockwork/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import type { ConsolePage } from './support/console-page.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { approvedReport, openJourney, type Journey } from './support/journey.js';

describe.skipIf(chromiumPath === undefined)('The records of a policy', () => {
  let journey: Journey;
  let world: ConsoleWorld;
  let window: ConsolePage;

  beforeAll(async () => {
    const people = [alice, owner];
    journey = await openJourney({ at: (id) => `/policies/${id}/documents`, people, before: approvedReport });
    ({ world, window } = journey);
  });

  afterAll(async () => journey.close());

  const axe = async (): Promise<void> => expectNothingFromAxe(window.page);

  it('show a document, whether its proof verifies, and its trust chain as a diagram and a list', async () => {
    const { page } = window;
    await page.getByRole('cell', { name: 'Approved' }).waitFor();
    await axe();
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Trust chain' }).waitFor();
    await page.getByText('Trusted', { exact: true }).waitFor();
    expect(await page.locator('.chain-picture rect').count()).toBe(await page.locator('.chain > li').count());
    expect(await page.getByText('Proof fails').count()).toBe(0);
    await axe();
  });

  it('save the proof of a document, which verifies without the server', async () => {
    const { page } = window;
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download proof/ }).click(),
    ]);
    const bundle: unknown = JSON.parse(await readFile(await saved.path(), 'utf8'));
    expect(await verifyBundle(bundle)).toMatchObject({ ok: true, wrong: [] });
  });

  it('show what was minted and who holds it', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByText('12.50 in 1 mint').waitFor();
    await page.getByRole('cell', { name: '12.50' }).waitFor();
    await axe();
  });

  it('say when no timer is scheduled', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'Timers' }).click();
    await page.getByText('No timers are pending.').waitFor();
  });

  it('show the journal, filtered by the server', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'Journal' }).click();
    await page.getByText(/sent data to decide/).waitFor();
    await page.getByRole('combobox', { name: 'Block tag' }).fill('choose_role');
    await page.getByText(/sent data to decide/).waitFor({ state: 'detached' });
    await page.getByText(/sent data to choose_role/).waitFor();
    await page.getByRole('searchbox', { name: 'DID of a person' }).fill('did:example:nobody');
    await page.getByText('Nothing has happened yet.').waitFor();
  });

  it('are hidden from users without permission', async () => {
    const { page, open, actAs } = window;
    await actAs('alice');
    for (const tab of ['documents', 'timers', 'journal']) {
      await open(`/policies/${world.policyId}/${tab}`);
      await page.getByRole('alert').getByText('PERMISSION_DENIED').waitFor();
    }
  });
});
