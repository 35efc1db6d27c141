/** Addresses of lists: the page, the order and the filter of a grid are part of them, so that links, reading anew, back and forward keep them. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { openConsolePage } from './support/console-page.js';
import { owner } from './support/console-world.js';
import { addFilledPolicy } from './support/filled-policy.js';
import { openJourney, type Journey } from './support/journey.js';

describe.skipIf(chromiumPath === undefined)('The address of a grid', () => {
  let journey: Journey;
  let page: Page;
  let policyId: string;

  beforeAll(async () => {
    journey = await openJourney({
      before: async (world) => (policyId = await addFilledPolicy(world, 47)),
    });
    ({ page } = journey);
    await journey.window.open(`/policies/${policyId}/page`);
    await journey.window.signIn(owner);
  });
  afterAll(async () => journey.close());

  const first = async (in_ = page): Promise<string | null> => in_.locator('tbody td').first().textContent();
  const expectFirst = async (site: string, in_ = page): Promise<void> => {
    await expect.poll(async () => first(in_)).toBe(site);
  };
  const sortBySite = async (): Promise<void> => page.getByRole('button', { name: 'Site' }).click();

  it('names its tab', async () => {
    await page.getByText('Readings.').waitFor();
    await page.getByRole('tab', { name: 'Readings' }).click();
    await expectFirst('Site 001');
    await page.goBack();
    await page.getByText('Readings.').waitFor();
    await page.goForward();
    await expectFirst('Site 001');
  });

  it('names its page, so that back and forward page through it', async () => {
    await page.getByRole('button', { name: 'Next' }).click();
    await expectFirst('Site 011');
    await page.getByRole('button', { name: 'Next' }).click();
    await expectFirst('Site 021');
    await page.goBack();
    await expectFirst('Site 011');
    await page.getByText('page 2 of 5').waitFor();
    await page.goForward();
    await expectFirst('Site 021');
  });

  it('names its order, and a new order starts at the first page', async () => {
    await sortBySite();
    await expectFirst('Site 001');
    await sortBySite();
    await expectFirst('Site 047');
    expect(await page.getByRole('columnheader', { name: 'Site' }).getAttribute('aria-sort')).toBe('descending');
    await page.goBack();
    await page.goBack();
    await expectFirst('Site 021');
    await page.goForward();
    await page.goForward();
    await expectFirst('Site 047');
  });

  it('names its filter, which starts at the first page and is not stored on the server', async () => {
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.getByRole('button', { name: 'Next' }).click();
    await expectFirst('Site 037');
    await page.getByRole('combobox', { name: 'State' }).selectOption('Waiting');
    await expectFirst('Site 046');
    await page.getByText('page 1 of 2').waitFor();
    await page.getByRole('combobox', { name: 'Rows' }).selectOption('25');
    await page.getByText('page 1 of 1').waitFor();
    await page.goBack();
    await page.getByText('page 1 of 2').waitFor();
    await page.goBack();
    await expectFirst('Site 037');
    expect(await page.getByRole('combobox', { name: 'State' }).inputValue()).toBe('');
    await page.goForward();
    await expectFirst('Site 046');
    await page.getByRole('button', { name: 'Next' }).click();
    await expectFirst('Site 016');
    expect(sent).toEqual([]);
  });

  it('shows the same grid to others, and survives a reload', async () => {
    const address = page.url();
    await page.reload();
    await expectFirst('Site 016');
    const other = await openConsolePage(journey.browser, journey.world);
    await other.page.goto(address);
    await other.signIn(owner);
    await expectFirst('Site 016', other.page);
    await other.page.getByText('page 2 of 2').waitFor();
    expect(await other.page.getByRole('combobox', { name: 'State' }).inputValue()).toBe('Waiting');
    expect(await other.page.getByRole('columnheader', { name: 'Site' }).getAttribute('aria-sort')).toBe('descending');
    await other.page.context().close();
  });

  it('is complete with the block tree open as well', async () => {
    await page.getByRole('link', { name: 'Show the tree' }).click();
    await page.getByRole('treeitem').first().click();
    await page.locator('.details').getByRole('heading').first().waitFor();
    await page.getByRole('link', { name: 'Hide the tree' }).click();
    await page.getByRole('tree').waitFor({ state: 'detached' });
    await expectFirst('Site 016');
  });

  it('ignores invalid values, and a page past the end links back to the last one', async () => {
    const [before = '', search = ''] = page.url().split('?');
    const grid = /([0-9a-f-]{36})\.page=1/.exec(search)?.[1] ?? 'none';
    const tab = [...new URLSearchParams(search)].find(([name]) => name.endsWith('.tab')) ?? ['', ''];
    const at = (more: string): string => `${before}?${tab[0]}=${tab[1]}&${more}`;
    await page.goto(at(`${grid}.page=-3&${grid}.size=7&${grid}.sort=-&${grid}.filter.page=4`));
    await expectFirst('Site 001');
    await page.goto(at(`${grid}.page=900`));
    await page.getByRole('button', { name: 'Previous' }).click();
    await expectFirst('Site 041');
    expect(journey.window.watched.problems).toEqual([]);
  });
});

describe.skipIf(chromiumPath === undefined)('The address of a list', () => {
  let journey: Journey;
  let policyId: string;

  beforeAll(async () => {
    journey = await openJourney({
      before: async (world) => (policyId = await addFilledPolicy(world, 120)),
    });
  });
  afterAll(async () => journey.close());

  it('keeps how much was loaded, so that a shared link shows as much', async () => {
    const { page, window, browser, world } = journey;
    await window.open(`/policies/${policyId}/documents`);
    await window.signIn(owner);
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(100);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(100);
    const other = await openConsolePage(browser, world);
    await other.page.goto(page.url());
    await other.signIn(owner);
    await expect.poll(() => other.page.locator('tbody tr').count()).toBe(100);
  });

  it('starts over when a filter changes', async () => {
    const { page, window } = journey;
    for (const [screen, filter] of [
      [`/policies/${policyId}/journal`, 'Only with failures'],
      ['/requests', 'Only open ones'],
    ] as const) {
      await window.open(`${screen}?pages=2`);
      await page.getByRole('checkbox', { name: filter }).check();
      await expect.poll(() => page.url()).not.toContain('pages=');
      await page.reload();
      await expect.poll(() => page.getByRole('checkbox', { name: filter }).isChecked()).toBe(true);
    }
  });
});
