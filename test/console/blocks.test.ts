/** The blocks at work: what waits where, as a list and as a picture, and the way that a send took. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath, openBrowser, type Windows } from './support/browser.js';
import { expectLoaded, openConsolePage, type ConsolePage } from './support/console-page.js';
import { alice, openConsoleWorld, owner, type ConsoleWorld } from './support/console-world.js';

describe.skipIf(chromiumPath === undefined)('The block screen', () => {
  let world: ConsoleWorld;
  let browser: Windows;
  let window: ConsolePage;

  const report = async (site: string): Promise<void> => {
    const document = { site, kilowattHours: 12.5 };
    await world.engine.sendToBlock(alice, world.policyId, { tag: 'report' }, { document, ref: null });
  };
  const row = (tag: string) => {
    const { page } = window;
    return page.getByRole('treeitem').filter({ has: page.getByText(tag, { exact: true }) });
  };

  beforeAll(async () => {
    world = await openConsoleWorld();
    await world.engine.sendToBlock(alice, world.policyId, { tag: 'choose_role' }, { role: 'Producer' });
    await report('Roof');
    browser = await openBrowser();
    window = await openConsolePage(browser, world);
    await window.open(`/policies/${world.policyId}/live`);
    await window.signIn(alice);
    await window.signIn(owner);
    await window.page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  it('counts what waits at each block, live', async () => {
    await row('decide').getByText('1 to decide').waitFor();
    await row('all_reports').getByText('1 document').waitFor();
    await row('report').getByText('data sent').waitFor();
    await report('Barn');
    await row('decide').getByText('2 to decide').waitFor();
    await window.page.getByLabel('Color by').selectOption('pending work');
    await window.page.getByText('waiting for a user').waitFor();
    expect(await row('decide').locator('.tone-waits').count()).toBe(1);
    await expectNothingFromAxe(window.page);
  });

  it('shows the history and documents of the selected block, and the path of a unit of work', async () => {
    const { page } = window;
    await row('all_reports').click();
    const documents = page.getByRole('region', { name: 'Documents visible to you here' });
    await expect.poll(() => documents.getByRole('link').count()).toBe(2);
    await row('save_report').click();
    const happened = page.getByRole('region', { name: 'What happened here' });
    await happened.getByRole('link').first().click();
    await page.getByText(/Path of unit \d+, .*report → save_report/).waitFor();
    await expect.poll(() => page.locator('.link-line.way').count()).toBeGreaterThan(0);
    expect(await page.locator('.box.lit').count()).toBeGreaterThan(1);
    await page.goBack();
    await row('save_report').waitFor();
  });

  it('draws a diagram with the links of the selected block only, also after a reload', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'Picture' }).click();
    const boxes = page.locator('.tree-picture .box');
    const { config } = await world.engine.getPolicy(owner, world.policyId);
    const blocks = [...JSON.stringify(config).matchAll(/"blockType"/g)].length;
    await expect.poll(() => boxes.count()).toBe(blocks);
    await page.locator('.box', { hasText: 'decide' }).locator('rect').first().click();
    await page.getByRole('heading', { name: 'decide' }).waitFor();
    await expect.poll(() => page.locator('.link-line.out').count()).toBe(2);
    await expectNothingFromAxe(page);
    await page.reload();
    await window.signIn(owner);
    await expect.poll(() => page.locator('.link-line.out').count()).toBe(2);
    await page.getByRole('button', { name: 'Smaller' }).click();
    await page.locator('.box .fold').first().click();
    await expect.poll(() => boxes.count()).toBe(1);
  });

  it('shows no counts to users who do not own the policy, and the server refuses them', async () => {
    const { page } = window;
    if (!(await page.getByLabel('Acting as').getByRole('option', { name: /alice/ }).count()))
      await window.signIn(alice);
    // Away from the blocks, so that nothing is asked for the owner any more.
    await window.open('/policies');
    await window.actAs('alice');
    await page.getByRole('link', { name: 'Sunlight' }).waitFor();
    const paths: string[] = [];
    page.on('request', (request) => paths.push(request.url()));
    await window.open(`/policies/${world.policyId}/live`);
    await row('decide').waitFor();
    expect(await page.getByText(/to decide/).count()).toBe(0);
    expect(paths.filter((url) => url.includes('/pending-work'))).toEqual([]);
    const refused = await fetch(`${world.url}/api/v1/policies/${world.policyId}/pending-work`, {
      headers: { authorization: `Bearer ${world.token(alice)}` },
    });
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: 'PERMISSION_DENIED' }]);
  });

  it.each([360, 2560])('fits a window of %i pixels without horizontal scrolling', async (width) => {
    const { page } = window;
    await page.setViewportSize({ width, height: 900 });
    for (const view of ['live', 'picture', 'way/000000000003']) {
      await window.open(`/policies/${world.policyId}/${view}`);
      await expectLoaded(page);
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      expect({ view, beyond: Math.max(0, beyond) }).toEqual({ view, beyond: 0 });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('sends no request to another host', () => {
    expect([...window.watched.hosts]).toEqual([world.url]);
    expect(window.watched.problems).toEqual([]);
  });
});
