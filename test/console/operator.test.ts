/** What operators see of the server, and what programmers see of a policy. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath, openBrowser } from './support/browser.js';
import { expectLoaded, openConsolePage, type ConsolePage } from './support/console-page.js';
import { alice, openConsoleWorld, owner, type ConsoleWorld } from './support/console-world.js';
import { tabTo } from './support/keyboard.js';

describe.skipIf(chromiumPath === undefined)('The console shows', () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let window: ConsolePage;

  beforeAll(async () => {
    world = await openConsoleWorld();
    browser = await openBrowser();
    window = await openConsolePage(browser, world);
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.open('/operator');
    await window.signIn(alice);
    await window.signIn(owner);
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  it('whether the server is ready, what waits, its limits, and what is not known', async () => {
    const { page } = window;
    await page.getByText('The store takes changes.').waitFor();
    await page.getByText('Changes are kept in memory').waitFor();
    await page.getByRole('rowheader', { name: 'Requests of other instances that nobody has decided' }).waitFor();
    await page.getByText('All limits of this server').click();
    await page.getByRole('cell', { name: 'hops', exact: true }).waitFor();
    await page.getByText('None of your policies does anything by itself.').waitFor();
    await page.getByText('The log is no part of the interface.').waitFor();
    await expectNothingFromAxe(page);
  });

  it('that it is not ready, as soon as it is away, and that it is back', async () => {
    const { page } = window;
    await world.pause();
    await page.getByText('Not ready').waitFor();
    await world.resume();
    await page.getByText('The store takes changes.').waitFor();
    await page.getByText('Not ready').waitFor({ state: 'detached' });
  });

  it('the state of the server to no others than operators', async () => {
    const { page, actAs } = window;
    await actAs('alice');
    await page.getByRole('alert').getByText('PERMISSION_DENIED').first().waitFor();
    expect(await page.getByText('hops', { exact: true }).count()).toBe(0);
    const refused = await fetch(`${world.url}/api/v1/operation`, {
      headers: { authorization: `Bearer ${world.token(alice)}` },
    });
    expect(refused.status).toBe(403);
  });

  it('the calls of a policy that one’s roles may make, each as a line to copy, by keyboard alone', async () => {
    const { page, open } = window;
    await open(`/policies/${world.policyId}/api`);
    await page.getByText('policyRolesBlock choose_role').first().waitFor();
    expect(await page.getByText('buttonBlock decide').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Role' }).focus();
    await tabTo(page, /^Copy the line for sendChooseRole$/i);
    await page.keyboard.press('Enter');
    await page.getByText('Copied.').waitFor();
    const line = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(line).toContain('Bearer $BLOCKWORK_TOKEN');
    expect(line).toContain(`${world.url}/api/v1/policies/${world.policyId}/tag/choose_role/blocks`);
    expect(await page.content()).not.toContain(world.token(alice).slice(0, 40));
  });

  it('all calls to the owner, searched and by role', async () => {
    const { page, actAs } = window;
    await actAs('registry');
    await page.getByText('buttonBlock decide').first().waitFor();
    await expectNothingFromAxe(page);
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Producer');
    await page.getByText('buttonBlock decide').first().waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search by tag or type' }).fill('nothing like this');
    await page.getByText('No block that you may call fits.').waitFor();
  });

  it.each([360, 2560])('all of it in a window of %i pixels without scrolling sideways', async (width) => {
    const { page, open } = window;
    await page.setViewportSize({ width, height: 900 });
    for (const screen of ['/operator', `/policies/${world.policyId}/api`]) {
      await open(screen);
      await page.getByRole('heading', { level: 2 }).nth(2).waitFor();
      await expectLoaded(page);
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      expect({ screen, beyond: Math.max(0, beyond) }).toEqual({ screen, beyond: 0 });
    }
  });

  it('and has asked nobody else', () => {
    expect([...window.watched.hosts]).toEqual([world.url]);
  });
});
