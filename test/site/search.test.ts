/** The search of the site, when its index cannot be loaded. */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from '../console/support/axe.js';
import { chromiumPath, openBrowser, type Windows } from '../console/support/browser.js';
import { temporaryFolders } from '../support/folders.js';

const newFolder = temporaryFolders();

/** Imported by its address: the types of the highlighter below it would put those of a browser in the place of Node's, in all tests. */
const script = new URL('../../scripts/site/build-pages.mjs', import.meta.url).href;
const { buildPages } = (await import(script)) as { readonly buildPages: (folder: string) => Promise<unknown> };

describe.skipIf(chromiumPath === undefined)('The search of the site', () => {
  let folder: string;
  let windows: Windows;
  const types: Readonly<Record<string, string>> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('content-type', types[extname(pathname)] ?? 'application/octet-stream');
    createReadStream(join(folder, pathname))
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  beforeAll(async () => {
    folder = join(await newFolder(), 'site');
    await buildPages(folder);
    windows = await openBrowser();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await windows.close();
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['does not come', 'abort'],
    ['is damaged', 'damage'],
  ])('says so where its index %s, and finds something once it is there', async (_, how) => {
    const tab = await (await windows.newContext()).newPage();
    await tab.goto(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/docs/errors.html`);
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
