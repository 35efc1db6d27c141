/** Being somebody with the tree of blocks beside the page: what they send lights the way that it took. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import { alice, owner } from './support/console-world.js';
import { becomeProducer, openJourney, sendReport, type Journey } from './support/journey.js';
import { tabTo } from './support/keyboard.js';

const row = (page: Page, tag: string): Locator =>
  page.getByRole('treeitem').filter({ has: page.getByText(tag, { exact: true }) });

/** The tags of the blocks that are lit, from the top. */
const lit = async (page: Page): Promise<string[]> => page.locator('.row.on-way .tag').allTextContents();

describe.skipIf(chromiumPath === undefined)('The block tree beside the page of a trial user', () => {
  let journey: Journey;
  let page: Page;

  beforeAll(async () => {
    journey = await openJourney({ at: (id) => `/policies/${id}/trial`, people: [owner] });
    ({ page } = journey);
  });
  afterAll(async () => journey.close());

  const hash = (): string => decodeURIComponent(new URL(page.url()).hash);

  it('opens by a link, and keeps the form that is being filled in', async () => {
    const { policyId } = journey.world;
    await page.getByLabel('Name of a person').fill('Alice');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Act as Alice' }).click();
    await page.getByRole('button', { name: 'Producer' }).click();
    await page.getByLabel('Site').fill('Roof');
    expect(await page.getByRole('tree').count()).toBe(0);
    await page.getByRole('link', { name: 'Show the tree' }).click();
    await row(page, 'report').waitFor();
    expect(hash()).toBe(`#/policies/${policyId}/page/beside`);
    expect(await page.getByLabel('Site').inputValue()).toBe('Roof');
    expect(await page.getByText('You are using this page as Alice.').count()).toBe(1);
  });

  it('lights up the path of what Alice sends', async () => {
    await page.getByLabel('Kilowatt hours').fill('12.5');
    await page.getByRole('button', { name: 'Send' }).click();
    const steps = page.getByRole('status').getByRole('listitem');
    await expect.poll(async () => steps.allTextContents()).toEqual(['report', 'save_report', 'producer']);
    await row(page, 'save_report').getByText('step 2', { exact: true }).waitFor();
    expect(await lit(page)).toEqual(['producer', 'report', 'save_report']);
  });

  it('keeps the path of Alice lit while others act', async () => {
    const { world } = journey;
    const message = page.getByRole('status').getByText('Path of the last data sent by Alice');
    const before = await message.textContent();
    await becomeProducer(world);
    await sendReport(world);
    await row(page, 'all_reports').getByText('2 documents', { exact: true }).waitFor();
    expect(await message.textContent()).toBe(before);
  });

  it('links each lit block to its details, which have their own address', async () => {
    await row(page, 'save_report').click();
    const details = page.locator('.details');
    await details.getByRole('heading', { name: 'save_report' }).waitFor();
    expect(hash()).toMatch(/\/page\/beside\/\S+$/);
    await page.reload();
    await details.getByRole('heading', { name: 'save_report' }).waitFor();
    await expect.poll(async () => lit(page)).toEqual(['producer', 'report', 'save_report']);
    await page.goBack();
    await details.getByText('Select a block').waitFor();
    expect(hash()).toMatch(/\/page\/beside$/);
  });

  it('works by keyboard alone', async () => {
    await tabTo(page, 'save_report');
    await page.keyboard.press('Enter');
    await page.locator('.details').getByRole('heading', { name: 'save_report' }).waitFor();
    await page.getByRole('link', { name: 'Hide the tree' }).press('Enter');
    await page.getByRole('tree').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Show the tree' }).press('Enter');
    await page.getByRole('tree').press('End');
    await page.keyboard.press('Enter');
    await page.locator('.details').getByRole('heading').first().waitFor();
  });

  it.each([360, 2560])('fits a window of %i pixels without horizontal scrolling', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await row(page, 'report').waitFor();
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    const [tree, mine] = await Promise.all([
      page.getByRole('tree').boundingBox(),
      page.getByText('You are using this page as Alice.').boundingBox(),
    ]);
    // Beside it in a wide window, below it in a narrow one.
    expect((tree?.x ?? 0) > width / 2).toBe(width > 960);
    expect((tree?.y ?? 0) > (mine?.y ?? 0)).toBe(true);
  });

  it('has no accessibility violations', async () => {
    await expectNothingFromAxe(page);
    expect(journey.window.watched.problems).toEqual([]);
  });
});

describe.skipIf(chromiumPath === undefined)(
  'The block tree beside the page of a user who does not own the policy',
  () => {
    let journey: Journey;

    beforeAll(async () => {
      journey = await openJourney({
        at: (id) => `/policies/${id}/page/beside`,
        people: [alice],
        before: becomeProducer,
      });
    });
    afterAll(async () => journey.close());

    it('lights up the touched blocks without requesting what only the owner may see', async () => {
      const { page } = journey;
      const paths: string[] = [];
      page.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await page.reload();
      await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
      await page.getByText('No changes since this page was opened.').waitFor();
      await page.getByLabel('Site').fill('Roof');
      await page.getByLabel('Kilowatt hours').fill('12.5');
      await page.getByRole('button', { name: 'Send' }).click();
      await expect.poll(async () => lit(page)).toContain('report');
      expect(paths.filter((path) => /^\/api\/.*\/(?:journal|pending-work)/.test(path))).toEqual([]);
      await row(page, 'report').click();
      await page.locator('.details').getByRole('heading', { name: 'report', exact: true }).waitFor();
    });
  },
);
