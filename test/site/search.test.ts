/** The search of the site, when its index cannot be loaded. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from '../console/support/axe.js';
import { chromiumPath, openBrowser, type Windows } from '../console/support/browser.js';
import { temporaryFolders } from '../support/folders.js';
import { serveSite, type SiteServer } from './support/site-server.js';

const newFolder = temporaryFolders();

/** Imported by its address: the types of the highlighter below it would put those of a browser in the place of Node's, in all tests. */
const script = new URL('../../scripts/site/build-pages.mjs', import.meta.url).href;
const { buildPages } = (await import(script)) as { readonly buildPages: (folder: string) => Promise<unknown> };

describe.skipIf(chromiumPath === undefined)('The search of the site', () => {
  let folder: string;
  let windows: Windows;
  let site: SiteServer;
  beforeAll(async () => {
    folder = join(await newFolder(), 'site');
    await buildPages(folder);
    windows = await openBrowser();
    site = await serveSite(folder);
  });
  afterAll(async () => {
    await windows.close();
    site.close();
  });

  it.each([
    ['does not come', 'abort'],
    ['is damaged', 'damage'],
  ])('says so where its index %s, and finds something once it is there', async (_, how) => {
    const tab = await (await windows.newContext()).newPage();
    await tab.goto(`${site.origin}/docs/errors.html`);
    await tab.route('**/search-index.js', (route) =>
      how === 'abort' ? route.abort() : route.fulfill({ body: 'globalThis.blockworkSearch("{");' }),
    );
    await tab.keyboard.press('/');
    await tab.keyboard.type('kysely');
    const results = tab.getByRole('region', { name: 'Search results' });
    await results.getByRole('alert').waitFor();
    expect(await results.textContent()).toBe('The search cannot be loaded. Type on to try again.');
    await expectNothingFromAxe(tab);

    await tab.unroute('**/search-index.js');
    await tab.keyboard.type(' drizzle');
    await results.getByRole('link').first().waitFor();
    expect(await results.getByRole('alert').count()).toBe(0);
  });
});
