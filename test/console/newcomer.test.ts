/** The newcomer: one address that the server prints, then everybody to be; by keyboard alone. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser, watch, type Windows } from './support/browser.js';
import { openDemonstration, type Demonstration } from './support/demonstration.js';
import { tabTo } from './support/keyboard.js';

describe.skipIf(chromiumPath === undefined)('A newcomer', () => {
  let browser: Windows;
  let page: Page;
  let demonstration: Demonstration;

  beforeAll(async () => {
    [demonstration, browser] = await Promise.all([openDemonstration(), openBrowser()]);
    page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  });

  afterAll(async () => {
    await browser.close();
    await demonstration.close();
  });

  it('opens one address, is signed in as every user, and the code disappears from the address', async () => {
    const watched = await watch(page);
    const paths: string[] = [];
    page.on('request', (request) => paths.push(request.url()));
    await page.goto(demonstration.address);
    await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
    const people = await page.getByRole('option').allTextContents();
    expect(people.map((text) => text.split(' ')[0])).toEqual(['registry', 'anna', 'ben', 'carl', 'vera', 'visitor']);
    expect(page.url()).not.toContain('code');
    expect(paths.join('\n')).not.toMatch(/code=|eyJ/);
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

  it('cannot use the same address twice, and learns what to do instead', async () => {
    const other = await (await browser.newContext()).newPage();
    await other.goto(demonstration.address);
    await other.getByRole('alert').getByText('has been used').waitFor();
    await other.getByLabel('Bearer token').waitFor();
    expect(other.url()).not.toContain('code');
  });
});
