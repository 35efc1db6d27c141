/** Going anywhere by Ctrl-K, and the overview of a policy. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from '../support/axe.js';
import { chromiumPath } from '../support/browser.js';
import { alice, owner } from '../support/console-world.js';
import { openJourney, reportOfAlice, type Journey } from '../support/journey.js';

describe.skipIf(chromiumPath === undefined)('The owner of a policy', () => {
  let journey: Journey;
  let page: Page;

  beforeAll(async () => {
    journey = await openJourney({ people: [alice, owner], at: () => '/policies', before: reportOfAlice });
    ({ page } = journey);
    await page.getByRole('link', { name: 'Sunlight' }).waitFor();
  });

  afterAll(async () => journey.close());

  const find = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill(text);
  };

  it('finds a policy, and then one of its blocks and screens, without a mouse', async () => {
    await find('sunl');
    await page.getByRole('option', { name: /Sunlight/, selected: true }).waitFor();
    await expectNothingFromAxe(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Sunlight' }).waitFor();
    await find('save_rej');
    await page.getByRole('option', { name: /save_rejected/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'save_rejected' }).waitFor();
    await find('overview');
    await page.getByRole('option', { name: /Overview/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What waits for whom' }).waitFor();
  });

  it('sees what waits for whom, and what happened last', async () => {
    await page.getByRole('listitem').filter({ hasText: 'decide' }).getByText('1 to decide').waitFor();
    const latest = page.getByRole('listitem').filter({ hasText: 'alice sent data to report' });
    expect(await latest.getByTitle(alice.did).textContent()).toBe('alice');
    await page.getByRole('listitem').filter({ hasText: 'registry started a dry run' }).waitFor();
    await page.getByText('No findings', { exact: true }).waitFor();
    await page.getByRole('img', { name: /^Activity: \d+ units of work in 14 days/ }).waitFor();
    const amounts = (title: string) =>
      page.locator('section.card', { has: page.getByRole('heading', { name: title }) }).getByRole('listitem');
    await amounts('Documents').first().waitFor();
    expect(await amounts('Documents').allTextContents()).toEqual(['Report1', 'Others1']);
    expect(await amounts('People').allTextContents()).toContain('Producer1');
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNothingFromAxe(page);
    }
    expect(journey.window.watched.problems).toEqual([]);
  });
});
