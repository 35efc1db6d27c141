/** The newcomer: one address that the server prints, then everybody to be; by keyboard alone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '@blockwork/cli';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser, watch } from './support/browser.js';
import { tabTo } from './support/keyboard.js';

const policies = fileURLToPath(new URL('../../examples/serve/policies', import.meta.url));

describe.skipIf(chromiumPath === undefined)('A newcomer', () => {
  let browser: Browser;
  let page: Page;
  let folder: string;
  let address: string;
  let stop: () => void;
  let ended: Promise<unknown>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blockwork-newcomer-'));
    let printed: (text: string) => void = () => undefined;
    const found = new Promise<string>((resolve) => {
      printed = (text) => {
        const [url] = /http:\S+\/console\/#code=\S+/.exec(text) ?? [];
        if (url !== undefined) resolve(url);
      };
    });
    const stopped = new Promise<string>((resolve) => (stop = () => resolve('SIGINT')));
    ended = runCommandLine(['serve', policies], {
      print: printed,
      write: async (text) => printed(text),
      printError: printed,
      input: Readable.from([]),
      env: { BLOCKWORK_DATA: join(folder, 'data'), BLOCKWORK_PORT: '0', BLOCKWORK_LOG: 'error' },
      isInteractive: false,
      stopped: () => stopped,
    });
    [address, browser] = await Promise.all([found, openBrowser()]);
    page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  });

  afterAll(async () => {
    await browser.close();
    stop();
    await ended;
    await rm(folder, { recursive: true });
  });

  it('opens one address and is signed in as everybody, and the code is gone from it', async () => {
    const watched = watch(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
    const people = await page.getByRole('option').allTextContents();
    expect(people.map((text) => text.split(' ')[0])).toEqual(['registry', 'anna', 'ben', 'carl', 'vera', 'visitor']);
    expect(page.url()).not.toContain('code');
    expect(asked.join('\n')).not.toMatch(/code=|eyJ/);
    expect(watched.problems).toEqual([]);
  });

  it('becomes a visitor and takes a role, by keyboard alone', async () => {
    await tabTo(page, 'Acting as');
    await page.keyboard.type('visitor');
    await expect.poll(() => page.getByLabel('Acting as').inputValue()).toBe('did:example:visitor');
    await page.getByRole('link', { name: 'Energy certificates' }).first().waitFor();
    await tabTo(page, /Energy certificates/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Producer' }).waitFor();
    await tabTo(page, /Producer/);
    await page.keyboard.press('Enter');
    await page.getByText('· Producer').waitFor();
  });

  it('gets nothing with the same address again, and is told what to do', async () => {
    const other = await (await browser.newContext()).newPage();
    await other.goto(address);
    await other.getByRole('alert').getByText('was used before').waitFor();
    await other.getByLabel('Bearer token').waitFor();
    expect(other.url()).not.toContain('code');
  });
});
