/** From an empty page to minted tokens without a mouse. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { alice, owner } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';
import { tabTo } from './support/keyboard.js';

describe.skipIf(chromiumPath === undefined)('By keyboard alone', () => {
  let journey: Journey;
  let page: Page;

  beforeAll(async () => {
    journey = await openJourney({ at: () => '/policies' });
    ({ page } = journey);
  });

  afterAll(async () => journey.close());

  const press = async (name: string | RegExp): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  };

  it('a user signs in, takes a role, reports, approves as the owner, and reads the tokens and their trust chain', async () => {
    const { world } = journey;
    await page.getByLabel('Bearer token').waitFor();
    await tabTo(page, 'Bearer token');
    await page.keyboard.insertText(world.token(owner));
    await page.keyboard.press('Enter');
    await press('People');
    await tabTo(page, 'Bearer token');
    await page.keyboard.insertText(world.token(alice));
    await press('Add');
    await page.getByRole('link', { name: 'Sunlight' }).waitFor();
    await press('Sunlight');
    await page.getByRole('button', { name: 'Producer' }).waitFor();
    await press(/Producer/);
    await page.getByLabel('Site').waitFor();
    await tabTo(page, /^Site/);
    await page.keyboard.type('Roof');
    await tabTo(page, /^Kilowatt hours/);
    await page.keyboard.type('12.5');
    await press('Send');
    await page.getByRole('cell', { name: 'Waiting' }).waitFor();

    await tabTo(page, 'Acting as');
    await page.keyboard.type('registry');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await press('Approve');
    await page.getByRole('cell', { name: 'Approved' }).first().waitFor();
    await press('Tokens');
    await page.getByText('12.50 in 1 mint').waitFor();
    await press('Documents');
    await page.getByRole('table').getByRole('link').first().waitFor();
    await tabTo(page, (await page.getByRole('table').getByRole('link').first().textContent()) ?? '');
    await page.keyboard.press('Enter');
    await page.getByText('Trusted', { exact: true }).waitFor();
    expect(journey.window.watched.problems).toEqual([]);
  });

  it('the focused element is always visible', async () => {
    for (let count = 0; count < 20; count += 1) {
      await page.keyboard.press('Tab');
      const { outline, tag } = await page.evaluate<{ outline: string; tag: string }>(
        '({ outline: getComputedStyle(document.activeElement).outlineStyle, tag: document.activeElement.tagName })',
      );
      expect({ tag, isSeen: tag === 'BODY' || outline !== 'none' }).toEqual({ tag, isSeen: true });
    }
  });
});
