/** What there is: documents with the chain of trust behind them, tokens with their holders, timers; and the journal, searched. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser } from './support/browser.js';
import { openConsolePage, type ConsolePage } from './support/console-page.js';
import { alice, openConsoleWorld, owner, type ConsoleWorld } from './support/console-world.js';

describe.skipIf(chromiumPath === undefined)('The console shows', () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let window: ConsolePage;

  beforeAll(async () => {
    world = await openConsoleWorld();
    const { engine, policyId } = world;
    await engine.sendToBlock(alice, policyId, { tag: 'choose_role' }, { role: 'Producer' });
    const document = { site: 'Roof', kilowattHours: 12.5 };
    await engine.sendToBlock(alice, policyId, { tag: 'report' }, { document, ref: null });
    const grid = await engine.readBlock<{ data: object[] }>(owner, policyId, { tag: 'all_reports' });
    const approval = { document: { ...grid.data[0] }, tag: 'Approve' };
    await engine.sendToBlock(owner, policyId, { tag: 'decide' }, approval);
    browser = await openBrowser();
    window = await openConsolePage(browser, world);
    await window.open(`/policies/${policyId}/documents`);
    await window.signIn(alice);
    await window.signIn(owner);
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** In both colour schemes. */
  const axe = async (): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await window.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page: window.page }).setLegacyMode().analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    }
  };

  it('a document, whether its proof holds, and the chain behind it as a picture and a list', async () => {
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

  it('what was minted, and who holds it', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByText('12.50 in 1 mint').waitFor();
    await page.getByRole('cell', { name: '12.50' }).waitFor();
    await axe();
  });

  it('that nothing happens by itself', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'Timers' }).click();
    await page.getByText('Nothing happens by itself here.').waitFor();
  });

  it('those units of the journal that are asked for, searched by the server', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'Journal' }).click();
    await page.getByText(/sent data to decide/).waitFor();
    await page.getByRole('combobox', { name: 'Block tag' }).fill('choose_role');
    await page.getByText(/sent data to decide/).waitFor({ state: 'detached' });
    await page.getByText(/sent data to choose_role/).waitFor();
    await page.getByRole('searchbox', { name: 'DID of a person' }).fill('did:example:nobody');
    await page.getByText('Nothing has happened yet.').waitFor();
  });

  it('none of it to those who may not see it', async () => {
    const { page, open, actAs } = window;
    await actAs('alice');
    for (const tab of ['documents', 'timers', 'journal']) {
      await open(`/policies/${world.policyId}/${tab}`);
      await page.getByRole('alert').getByText('PERMISSION_DENIED').waitFor();
    }
  });
});
