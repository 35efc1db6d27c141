/** The picture of the blocks without a mouse. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { owner } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';
import { tabTo } from './support/keyboard.js';

describe.skipIf(chromiumPath === undefined)('The block diagram, by keyboard alone,', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await openJourney({ at: (id) => `/policies/${id}/picture`, people: [owner] });
  });
  afterAll(async () => journey.close());

  it('selects blocks, folds and unfolds', async () => {
    const { page, window } = journey;
    const boxes = page.locator('.tree-picture .box');
    const selected = page.locator('.box.selected text').first();
    const details = page.locator('.details').getByRole('heading', { level: 2 });
    await boxes.first().waitFor();
    const all = await boxes.count();
    await tabTo(page, /^Picture of the blocks/);
    await page.keyboard.press('Home');
    await details.getByText('root', { exact: true }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => boxes.count()).toBe(1);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => boxes.count()).toBe(all);
    await page.keyboard.press('ArrowRight');
    await details.getByText('choose_role', { exact: true }).waitFor();
    await expect.poll(() => selected.textContent()).toBe('choose_role');
    expect(window.watched.problems).toEqual([]);
  });
});
