/** The documentation as a site: what `npm run docs` builds, and what a browser shows of it. */
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capture, root } from '../../scripts/run.mjs';
import { expectNothingFromAxe } from '../console/support/axe.js';
import { chromiumPath, openBrowser, watch, type Windows } from '../console/support/browser.js';
import { watchShifts } from '../console/support/layout-shifts.js';
import { temporaryFolders } from '../support/folders.js';
import { isWhole } from '../support/repetitions.js';
import { serveSite, type SiteServer } from './support/site-server.js';

const newFolder = temporaryFolders();
let folder: string;
beforeAll(async () => {
  if (!isWhole) return;
  folder = join(await newFolder(), 'site');
  const { code, output } = await capture(process.execPath, [join(root, 'scripts', 'site', 'docs.mjs'), folder]);
  expect(output, output).toContain('Pages and API ...');
  expect(code, output).toBe(0);
}, 600_000);

const page = (address: string): Promise<string> => readFile(join(folder, address), 'utf8');

/** It is built with the reference of every package, which takes longer than any other test. */
describe.skipIf(!isWhole)('The site', () => {
  it('has every page of docs, with its path', async () => {
    const files = (await readdir(join(root, 'docs'), { recursive: true })).filter((file) => file.endsWith('.md'));
    expect(files.length).toBeGreaterThan(50);
    for (const file of files) {
      const address = join('docs', file.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));
      expect(await page(address)).toContain('<main');
    }
  });

  it('has no link to a file that it lacks, also in the reference of the API', async () => {
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.html'));
    const missing = new Set<string>();
    for (const file of files) {
      const links = [...(await page(file)).matchAll(/(?:href|src)="([^"#?:]+)[^":]*"/g)].map(([, link = '']) => link);
      for (const link of new Set(links)) {
        const target = join(folder, file, '..', decodeURI(link));
        await access(target).catch(() => missing.add(`${file}: ${link}`));
      }
    }
    expect([...missing]).toEqual([]);
  });

  it('documents every entry point of the packages, and the examples of their methods', async () => {
    const engine = await page('api/classes/_blockwork_core.PolicyEngine.html');
    expect(engine).toContain('sendToBlock');
    expect(engine).toContain('Example');
    for (const module of ['core_block', 'core_adapter', 'client', 'store-postgres', 'testing_conformance']) {
      expect(await page(`api/modules/_blockwork_${module}.html`)).toContain('@blockwork/');
    }
  });
});

describe.skipIf(!isWhole || chromiumPath === undefined)('The site in a browser', () => {
  let windows: Windows;
  let site: SiteServer;
  const address = (path: string): string => `${site.origin}/${path}`;
  beforeAll(async () => {
    windows = await openBrowser();
    site = await serveSite(folder);
  });
  afterAll(async () => {
    await windows.close();
    site.close();
  });
  const open = async (width: number): Promise<Page> =>
    (await windows.newContext({ viewport: { width, height: 900 } })).newPage();

  it.each([1440, 390])('is light, accessible and does not move at %d px', async (width) => {
    const tab = await open(width);
    const { problems, hosts } = await watch(tab);
    let bytes = 0;
    const counted: Promise<void>[] = [];
    const count = (response: Response): void =>
      void counted.push(response.body().then((body) => void (bytes += body.length)));
    tab.on('response', count);
    const shifts = await watchShifts(tab, 'first');
    for (const path of ['index.html', 'docs/tutorial.html', 'docs/errors.html']) {
      await tab.goto(address(path));
      await shifts.settled();
      if (path === 'index.html') {
        // What later pages load is gone with them.
        tab.off('response', count);
        await Promise.all(counted);
        expect(bytes).toBeGreaterThan(20_000);
        expect(bytes).toBeLessThan(300_000);
      }
      expect((await shifts.take()).moved).toEqual([]);
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await expectNothingFromAxe(tab);
    }
    expect([problems, [...hosts]]).toEqual([[], [address('').slice(0, -1)]]);
  });

  it.each(['http', 'file'])('is searched with the keyboard alone, also without a server: %s', async (scheme) => {
    const tab = await open(1440);
    const { problems } = await watch(tab);
    const errors = 'docs/errors.html';
    await tab.goto(scheme === 'http' ? address(errors) : pathToFileURL(join(folder, errors)).href);
    await tab.keyboard.press('/');
    await tab.keyboard.type('kysely drizzle');
    const results = tab.getByRole('region', { name: 'Search results' });
    await results.getByRole('link').first().waitFor();
    // Which reads the styles itself, as files may not.
    if (scheme === 'http') await expectNothingFromAxe(tab);
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('Enter');
    await tab.waitForURL(/docs\/host-transactions\.html#query-builders$/);
    expect(problems).toEqual([]);
  });

  it('opens its navigation in a small window, and keeps the colour scheme that was chosen', async () => {
    const tab = await open(1440);
    await tab.goto(address('index.html'));
    const dark = (): Promise<boolean> =>
      tab.evaluate(`getComputedStyle(document.body).backgroundColor === 'rgb(21, 25, 29)'`);
    expect(await dark()).toBe(false);
    await tab.getByRole('button', { name: 'Dark or light' }).click();
    expect(await dark()).toBe(true);
    await tab.goto(address('docs/errors.html'));
    expect(await dark()).toBe(true);
    await tab.setViewportSize({ width: 390, height: 900 });
    expect(await tab.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);
    await tab.getByRole('button', { name: 'Menu' }).click();
    await tab.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Limits' }).click();
    await tab.waitForURL(/docs\/limits\.html$/);
  });
});
