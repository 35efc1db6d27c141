/** What happens elsewhere is seen at once, and a restart of the server neither loses nor doubles anything. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser } from './support/browser.js';
import { openConsolePage, type ConsolePage } from './support/console-page.js';
import { alice, openConsoleWorld, owner, type ConsoleWorld } from './support/console-world.js';

describe.skipIf(chromiumPath === undefined)('The console hears', () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let window: ConsolePage;

  beforeAll(async () => {
    world = await openConsoleWorld();
    await world.engine.sendToBlock(alice, world.policyId, { tag: 'choose_role' }, { role: 'Producer' });
    browser = await openBrowser();
    window = await openConsolePage(browser, world);
    await window.open(`/policies/${world.policyId}/page`);
    await window.signIn(owner);
    await window.page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  const report = async (site: string): Promise<void> => {
    await world.engine.sendToBlock(
      alice,
      world.policyId,
      { tag: 'report' },
      {
        document: { site, kilowattHours: 12.5 },
        ref: null,
      },
    );
  };

  it('what another person sends, without asking for it', async () => {
    const { page } = window;
    await page.getByText('No documents.').first().waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await report('Roof');
    await page.getByRole('cell', { name: 'Roof' }).waitFor();
    // What the event names, and nothing on suspicion: the policy itself and the findings have not moved.
    expect(asked.filter((path) => path.endsWith(`/policies/${world.policyId}`) || path.endsWith('/findings'))).toEqual(
      [],
    );
  });

  it('which blocks were touched, and lights them up in the tree', async () => {
    const { page, open } = window;
    await open(`/policies/${world.policyId}/live`);
    await page.getByText('Nothing has moved since this page was opened.').waitFor({ state: 'detached' });
    await report('Barn');
    const row = page.getByRole('treeitem').filter({ has: page.getByText('report', { exact: true }) });
    await row.filter({ hasText: 'data sent' }).waitFor();
    expect(await row.locator('.touch.latest').count()).toBe(1);
  });

  it('what happened while the server was away, each thing once', async () => {
    const { page, open } = window;
    await open(`/policies/${world.policyId}/journal`);
    const entries = page.getByText(/sent data to report/);
    await expect.poll(() => entries.count()).toBe(2);
    await world.pause();
    await page.getByText('Connection lost').waitFor();
    await report('Shed');
    await world.resume();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await expect.poll(() => entries.count()).toBe(3);
    await report('Field');
    await expect.poll(() => entries.count()).toBe(4);
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
