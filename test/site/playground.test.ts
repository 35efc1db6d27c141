/** The playground in a browser: the engine and the console in one page, from a server that has nothing but files. */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { containedLibraries, hasLicences } from '../../scripts/release/contained-libraries.mjs';
import { writeLicences } from '../../scripts/site/licences.mjs';
import { buildPlayground } from '../../scripts/site/playground/build.mjs';
import { expectNothingFromAxe } from '../console/support/axe.js';
import { chromiumPath, openBrowser, watch, type Windows } from '../console/support/browser.js';
import { watchShifts } from '../console/support/layout-shifts.js';
import { openWorld } from '../http/support/world.js';
import { temporaryFolders } from '../support/folders.js';
import { calculationPolicy } from './support/calculation-policy.js';
import { serveSite, type SiteServer } from './support/site-server.js';

const newFolder = temporaryFolders();
let folder: string;
let chunks: Awaited<ReturnType<typeof buildPlayground>>;
beforeAll(async () => {
  folder = await newFolder();
  chunks = await buildPlayground(join(folder, 'playground'));
}, 600_000);

it('loads nothing but its own files', () => {
  expect(chunks.map(({ fileName }) => fileName).sort()).toEqual([
    'engine.js',
    'formula-worker.js',
    'page.js',
    'script-worker.js',
  ]);
  for (const { fileName, imports, dynamicImports } of chunks)
    expect([...imports, ...dynamicImports].filter((name) => name !== fileName)).toEqual([]);
});

it('comes with the licences of all libraries in it, which a bill of materials lists', async () => {
  await writeLicences(folder, chunks);
  const paths = ['LICENSES.txt', join('playground', 'licenses.md')];
  const texts = await Promise.all(paths.map(async (path) => readFile(join(folder, path), 'utf8')));
  const files = new Map(paths.map((path, at) => [`dist/site/${path}`, texts[at] ?? '']));
  expect([...files.keys()].filter(hasLicences)).toEqual([...files.keys()]);
  const names = containedLibraries(files).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['mathjs', 'quickjs-emscripten-core', 'react', 'typedoc']));
});

describe.skipIf(chromiumPath === undefined)('The playground', () => {
  let site: SiteServer;
  const address = (fragment = ''): string => `${site.origin}/playground/${fragment}`;
  let windows: Windows;
  beforeAll(async () => {
    windows = await openBrowser();
    site = await serveSite(folder);
  });
  afterAll(async () => {
    await windows.close();
    site.close();
  });
  const newTab = async (width = 1440): Promise<Page> =>
    (await windows.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })).newPage();
  const actAs = (tab: Page, name: string): Promise<unknown> =>
    tab.getByLabel('Acting as').selectOption(`did:example:${name}`);

  it.each([1440, 390])('begins with a small page that is accessible and does not move, at %d px', async (width) => {
    const tab = await newTab(width);
    const { problems } = await watch(tab);
    let bytes = 0;
    const counted: Promise<void>[] = [];
    tab.on('response', (response) => counted.push(response.body().then((body) => void (bytes += body.length))));
    const shifts = await watchShifts(tab, 'first');
    await tab.goto(address());
    await tab.getByRole('link', { name: 'The policy of the tutorial' }).waitFor();
    await shifts.settled();
    expect((await shifts.take()).moved).toEqual([]);
    await Promise.all(counted);
    expect(bytes).toBeLessThan(300_000);
    expect(tab.workers()).toEqual([]);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await expectNothingFromAxe(tab);
    expect(problems).toEqual([]);
  });

  it('runs the policy of the tutorial from its form to the mint, without a server', async () => {
    const tab = await newTab();
    const { problems, hosts } = await watch(tab);
    site.asked.length = 0;
    await tab.goto(address());
    await tab.getByRole('link', { name: 'The policy of the tutorial' }).click();
    await tab.getByRole('heading', { level: 1, name: 'sunlight' }).waitFor();

    await actAs(tab, 'alice');
    await tab.getByRole('button', { name: 'Producer' }).click();
    await tab.getByLabel('Site').fill('Roof');
    await tab.getByLabel('Kilowatt hours').fill('12.5');
    await tab.getByLabel('Month').fill('2026-10');
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.getByRole('cell', { name: 'Waiting' }).waitFor();

    await actAs(tab, 'ines');
    await tab.getByRole('button', { name: 'Inspector' }).click();
    await tab.getByRole('button', { name: 'Confirm' }).click();
    await tab.getByText('No documents').waitFor();

    await actAs(tab, 'registry');
    await tab.getByRole('button', { name: 'Approve' }).click();
    await tab.getByRole('cell', { name: 'Approved' }).waitFor();
    await tab.getByRole('link', { name: 'Tokens' }).click();
    await tab.getByText('12.50').first().waitFor();

    expect(problems).toEqual([]);
    expect([...hosts]).toEqual([site.origin]);
    expect(site.asked.filter((request) => !/^GET \/playground\/[\w./-]*$/.test(request))).toEqual([]);
    expect(site.asked.filter((request) => request.includes('/api/'))).toEqual([]);
  });

  /** An answer to a request of the page, sent as somebody. */
  const call = (tab: Page, name: string, method: string, path: string, body?: unknown): Promise<unknown> =>
    tab.evaluate<unknown>(`(async () => {
      const { all } = JSON.parse(sessionStorage.getItem('blockwork-people'));
      const { token } = all.find((person) => person.name === ${JSON.stringify(name)});
      const headers = { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' };
      const init = { method: ${JSON.stringify(method)}, headers, body: ${JSON.stringify(JSON.stringify(body))} };
      return (await fetch('api/v1/' + ${JSON.stringify(path)}, init)).json();
    })()`);

  it('opens the policy that an address holds, with its scripts and formulas, and gives such an address', async () => {
    const tab = await newTab();
    const { problems } = await watch(tab);
    await tab.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
    const file = Buffer.from(JSON.stringify(calculationPolicy)).toString('base64url');
    await tab.goto(address(`#policy=${file}`));
    await tab.getByRole('heading', { level: 1, name: 'Calculation' }).waitFor();
    const [, id = ''] = /policies\/(\w+)\/page$/.exec(tab.url()) ?? [];
    const sent = { document: { size: 3 }, ref: null };
    await call(tab, 'registry', 'POST', `policies/${id}/tag/form/blocks`, sent);
    const { data } = (await call(tab, 'registry', 'GET', `policies/${id}/tag/grid/blocks`)) as {
      readonly data: readonly { readonly document: { readonly credentialSubject: readonly unknown[] } }[];
    };
    expect(data.map(({ document }) => document.credentialSubject[0])).toMatchObject([{ doubled: 6, squared: 9 }]);
    const programs = tab.workers().map((worker) => worker.url());
    for (const name of ['engine', 'formula-worker', 'script-worker']) expect(programs).toContain(address(`${name}.js`));

    await tab.getByRole('button', { name: 'Copy a link' }).click();
    await tab.getByText('The link is on the clipboard').waitFor();
    const link = await tab.evaluate<string>('navigator.clipboard.readText()');
    const other = await newTab();
    await other.goto(link);
    await other.getByRole('heading', { level: 1, name: 'Calculation' }).waitFor();
    await other.getByRole('button', { name: 'Start over' }).click();
    await other.getByRole('heading', { level: 1, name: 'Try a policy in this tab' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('runs its scripts and formulas below /docs/ of a server, whose headers allow nothing from elsewhere', async () => {
    await writeFile(join(folder, 'index.html'), '');
    const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
    const world = await openWorld({ docs: { assets, site: folder } });
    try {
      const tab = await newTab();
      const { problems, hosts } = await watch(tab);
      const file = Buffer.from(JSON.stringify(calculationPolicy)).toString('base64url');
      await tab.goto(`${world.url}/docs/playground/#policy=${file}`);
      await tab.getByRole('heading', { level: 1, name: 'Calculation' }).waitFor();
      const [, id = ''] = /policies\/(\w+)\/page$/.exec(tab.url()) ?? [];
      await call(tab, 'registry', 'POST', `policies/${id}/tag/form/blocks`, { document: { size: 3 }, ref: null });
      expect(await call(tab, 'registry', 'GET', `policies/${id}/tag/grid/blocks`)).toMatchObject({
        data: [{ document: { credentialSubject: [{ doubled: 6, squared: 9 }] } }],
      });
      expect([problems, [...hosts]]).toEqual([[], [world.url]]);
    } finally {
      await world.close();
    }
  });

  it.each([
    ['#policy=no policy', 'The address holds no policy'],
    ['#policy=e30', 'The policy cannot be opened'],
    ['#example=nothing', 'names no example'],
  ])('says what is wrong with the address %s', async (fragment, said) => {
    const tab = await newTab();
    await tab.goto(address(fragment));
    await tab.getByText(said).waitFor();
    await tab.getByRole('link', { name: 'The policy of the tutorial' }).click();
    await tab.getByRole('heading', { level: 1, name: 'sunlight' }).waitFor();
  });
});
