/** A walk through the main screens of the demonstration: each is there, fits windows of every width, and may be pictured for the documentation. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser, watch, type Watch, type Windows } from './support/browser.js';
import { expectLoaded } from './support/console-page.js';
import { openDemonstration, type Demonstration } from './support/demonstration.js';
import { takePicture } from './support/picture.js';

describe.skipIf(chromiumPath === undefined)('The main screens', () => {
  let demonstration: Demonstration;
  let browser: Windows;
  let page: Page;
  let watched: Watch;

  beforeAll(async () => {
    [demonstration, browser] = await Promise.all([openDemonstration(), openBrowser()]);
    page = await (
      await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } })
    ).newPage();
    watched = await watch(page);
    await page.goto(demonstration.address);
    await page.getByRole('link', { name: 'Energy certificates' }).first().waitFor();
  });

  afterAll(async () => {
    await browser.close();
    await demonstration.close();
  });

  const actAs = async (name: string): Promise<void> => {
    const option = page.getByRole('option', { name: new RegExp(`^${name} `) }).first();
    await page.getByLabel('Acting as').selectOption((await option.getAttribute('value')) ?? '');
  };
  const tab = async (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();
  const fits = async (screen: string): Promise<void> => {
    for (const width of [360, 2560, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      expect({ screen, width, beyond: Math.max(0, beyond) }).toEqual({ screen, width, beyond: 0 });
    }
    await takePicture(page, screen);
  };

  it('of policies, and of a policy as its registry gets it', async () => {
    await fits('policies');
    await page.getByRole('link', { name: 'Energy certificates' }).first().click();
    await page.getByRole('table').first().waitFor();
    await fits('page');
  });

  it('of its blocks, with a reason', async () => {
    await tab('Blocks');
    await page.getByRole('treeitem').nth(5).click();
    await page.getByRole('region', { name: 'Why (not)?' }).getByRole('listitem').first().waitFor();
    await fits('blocks');
  });

  it('of a document and the chain behind it', async () => {
    await tab('Documents');
    await page.getByRole('table').getByRole('link').nth(1).click();
    await page.getByText('Trusted', { exact: true }).waitFor();
    await fits('document');
  });

  it.each([
    ['Tokens', 'tokens'],
    ['Journal', 'journal'],
    ['Trial', 'trial'],
    ['Versions', 'versions'],
  ])('of %s', async (name, screen) => {
    await tab(name);
    await expectLoaded(page);
    await page.getByRole('main').locator('.tabs + *').first().waitFor();
    await fits(screen);
  });

  it('of requests, and of a form', async () => {
    await tab('Requests');
    await page
      .getByText(/waiting for .*, until/)
      .first()
      .waitFor();
    await fits('requests');
    await tab('Policies');
    await actAs('visitor');
    await page.getByRole('link', { name: 'Energy certificates' }).first().click();
    await page.getByRole('button', { name: 'Producer' }).click();
    await page.locator('form.rjsf').waitFor();
    await fits('form');
    expect(watched.problems).toEqual([]);
  });
});
