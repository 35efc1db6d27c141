/** What an accessibility checker says of a screen, in both colour schemes. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isThorough } from '../../support/repetitions.js';

export type ColorScheme = 'light' | 'dark';

export async function expectNothingFromAxe(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await violationsIn(page, colorScheme)).toEqual([]);
  }
}

/** Each violation in the screen as it is shown now, with its first element. */
export async function violationsIn(page: Page, colorScheme: ColorScheme): Promise<(readonly [string, string])[]> {
  // Half a megabyte, which the browser would read for each screen and scheme.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    // The other scheme has the same elements in other colours: in a short run, only those are looked at again.
    ...(colorScheme === 'dark' && !isThorough && { runOnly: ['color-contrast', 'link-in-text-block'] }),
  };
  const { violations } = await page.evaluate<axe.AxeResults>(`window.axe.run(document, ${JSON.stringify(options)})`);
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html ?? '']);
}
