/** What is wider than its place says so: a table has a shade at the edge beyond which there is more, a picture that nearly fits is fitted. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import { owner } from './support/console-world.js';
import { openJourney, reportOfAlice, type Journey } from './support/journey.js';

describe.skipIf(chromiumPath === undefined)('Content wider than its container', () => {
  let journey: Journey;
  let page: Page;

  beforeAll(async () => {
    journey = await openJourney({ at: (id) => `/policies/${id}/documents`, people: [owner], before: reportOfAlice });
    ({ page } = journey);
  });
  afterAll(async () => journey.close());

  /** A strip of the table without text: equal where equal colours are. `at`: from the left edge of what is seen, in pixels. */
  const strip = async (at: 'left' | 'middle' | 'right'): Promise<string> => {
    const [table, cell] = [page.getByRole('region', { name: 'Documents' }), page.getByRole('cell').first()];
    await table.scrollIntoViewIfNeeded();
    const [frame, first] = await Promise.all([table.boundingBox(), cell.boundingBox()]);
    const { x, width } = frame ?? { x: 0, width: 0 };
    const y = first?.y ?? 0;
    const places = { left: x + 1, middle: x + width / 2, right: x + width - 4 };
    const picture = await page.screenshot({
      clip: { x: Math.round(places[at]), y: Math.round(y) + 3, width: 3, height: 2 },
    });
    return picture.toString('base64');
  };
  const shaded = async (): Promise<{ left: boolean; right: boolean }> => {
    const middle = await strip('middle');
    return { left: (await strip('left')) !== middle, right: (await strip('right')) !== middle };
  };
  const scrollBy = async (pixels: number): Promise<void> =>
    page.evaluate(`document.querySelector('.scroll').scrollBy(${String(pixels)}, 0)`);

  it.each(['light', 'dark'] as const)(
    'has a shadow at the edge that hides more, in the %s scheme',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('cell').first().waitFor();
      expect(await shaded()).toEqual({ left: false, right: false });
      await page.setViewportSize({ width: 360, height: 800 });
      expect(await shaded()).toEqual({ left: false, right: true });
      await scrollBy(60);
      expect(await shaded()).toEqual({ left: true, right: true });
      await scrollBy(5000);
      expect(await shaded()).toEqual({ left: true, right: false });
      await scrollBy(-5000);
    },
  );

  it('scrolls by keyboard and has no accessibility violations', async () => {
    const table = page.getByRole('region', { name: 'Documents' });
    await table.focus();
    await page.keyboard.press('ArrowRight');
    const scrolled = async (): Promise<number> => page.evaluate("document.querySelector('.scroll').scrollLeft");
    await expect.poll(scrolled).toBeGreaterThan(0);
    await expectNothingFromAxe(page);
  });

  it('starts fitted if it is a diagram that nearly fits', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await journey.window.open(`/policies/${journey.world.policyId}/picture`);
    const picture = page.getByRole('region', { name: /^Picture of the blocks/ });
    await picture.locator('.box').first().waitFor();
    const { beyond, drawn } = await page.evaluate<{ beyond: number; drawn: number }>(`(() => {
      const { scrollWidth, clientWidth, firstElementChild } = document.querySelector('.tree-picture');
      return { beyond: scrollWidth - clientWidth, drawn: firstElementChild.clientWidth / firstElementChild.viewBox.baseVal.width };
    })()`);
    expect(beyond).toBe(0);
    expect(drawn).toBeLessThan(1);
  });
});
