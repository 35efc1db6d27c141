/** Journeys through the console, in a real browser against a real server. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsIn } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import { expectLoaded, type ConsolePage } from './support/console-page.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';

if (chromiumPath === undefined) console.warn('Journeys are skipped: there is no Chromium. Set CHROMIUM_PATH to one.');

describe.skipIf(chromiumPath === undefined)('The console', () => {
  let journey: Journey;
  let world: ConsoleWorld;
  let page: Page;
  let open: ConsolePage['open'];
  let signIn: ConsolePage['signIn'];
  let actAs: ConsolePage['actAs'];

  beforeAll(async () => {
    journey = await openJourney();
    ({ world, page } = journey);
    ({ open, signIn, actAs } = journey.window);
  });

  afterAll(async () => journey.close());

  it('asks for a token, and says what is wrong with an invalid one', async () => {
    await open('/policies');
    await page.getByLabel('Bearer token').fill('hello');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('This is not a JSON Web Token').waitFor();
  });

  it('takes a newcomer from a role to minted tokens', async () => {
    await signIn(owner);
    await signIn(alice);
    await open(`/policies/${world.policyId}/page`);
    await page.getByRole('button', { name: 'Producer' }).click();
    await page.getByRole('textbox', { name: /site/i }).fill('Roof');
    await page
      .getByRole('spinbutton')
      .or(page.getByRole('textbox', { name: /kilowatt/i }))
      .first()
      .fill('12.5');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('cell', { name: 'Waiting' }).waitFor();

    await actAs('registry');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('cell', { name: 'Approved' }).waitFor();
    const [token = ''] = await world.engine.listTokenIds(owner, world.policyId);
    expect(await world.engine.program.ledger.getMintTotals(world.policyId, token)).toMatchObject({
      amounts: ['12.50'],
    });
  });

  it('shows a rejected value at its field, and keeps the input', async () => {
    await actAs('alice');
    const site = page.getByRole('textbox', { name: /site/i });
    await site.fill('Barn');
    await page
      .getByRole('spinbutton')
      .or(page.getByRole('textbox', { name: /kilowatt/i }))
      .first()
      .fill('-1');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.text-danger').first().waitFor();
    expect(await site.inputValue()).toBe('Barn');
  });

  it('shows the blocks of the policy, with the options and links of the selected one', async () => {
    await actAs('registry');
    await open(`/policies/${world.policyId}/live`);
    await page.getByRole('tree').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Options' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search by tag or type' }).fill('mint');
    await expect.poll(() => page.getByRole('treeitem').filter({ hasText: 'mintDocumentBlock' }).count()).toBe(1);
    expect(new URL(page.url()).hash).toMatch(/live\/[0-9a-f-]{36}\?find=mint$/);
  });

  it('shows the journal to the owner of the policy, and tells others why they cannot see it', async () => {
    await open(`/policies/${world.policyId}/journal`);
    await page.getByText(/sent data to report/).waitFor();
    await actAs('alice');
    await page.getByRole('alert').getByText('PERMISSION_DENIED').waitFor();
    await actAs('registry');
  });

  it.each(['light', 'dark'] as const)('has no accessibility violations in the %s scheme', async (colorScheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { uuid } = await world.engine.findBlock(owner, world.policyId, 'all_reports');
    for (const screen of [
      '/policies',
      `/policies/${world.policyId}/live/${uuid}`,
      ...['page', 'live', 'journal', 'findings'].map((tab) => `/policies/${world.policyId}/${tab}`),
      '/requests',
    ]) {
      await open(screen);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectLoaded(page);
      expect({ screen, violations: await violationsIn(page, colorScheme) }).toEqual({ screen, violations: [] });
    }
  });

  it.each([360, 2560])('fits a window of %i pixels without horizontal scrolling', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    for (const tab of ['page', 'live', 'journal', 'findings']) {
      await open(`/policies/${world.policyId}/${tab}`);
      await expectLoaded(page);
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      expect({ tab, beyond: Math.max(0, beyond) }).toEqual({ tab, beyond: 0 });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('renders hostile text as text', async () => {
    const name = '<img src=x onerror="document.title=\'taken over\'">';
    await world.engine.importPolicy(owner, { name, config: { blockType: 'interfaceContainerBlock', tag: name } });
    await open('/policies');
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('link', { name: 'Blocks' }).click();
    await page.getByRole('treeitem').first().waitFor();
    expect(await page.title()).toBe('Blockwork console');
  });

  it('sends nothing to another host, and never violates its content security policy', () => {
    const { watched } = journey.window;
    expect([...watched.hosts]).toEqual([world.url]);
    expect(watched.problems).toEqual([]);
  });
});
