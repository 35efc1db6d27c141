/** A server that goes away and comes back, in the middle of what people do: nothing is lost, nothing is done twice. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import type { ConsolePage } from './support/console-page.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { becomeProducer, openJourney, type Journey } from './support/journey.js';

describe.skipIf(chromiumPath === undefined)('While the server is unreachable', () => {
  let journey: Journey;
  let world: ConsoleWorld;
  let window: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    const people = [owner, alice];
    journey = await openJourney({ at: (id) => `/policies/${id}/page`, people, before: becomeProducer });
    ({ world, window, page } = journey);
  });

  afterAll(async () => journey.close());

  const fillIn = async (site: string): Promise<void> => {
    await page.getByLabel('Site').fill(site);
    await page.getByLabel('Kilowatt hours').fill('12.5');
  };
  const sites = async (): Promise<unknown[]> => {
    const { items } = await world.engine.documents.list(owner, world.policyId);
    return items.flatMap(({ document }) => JSON.stringify(document).match(/Roof|Barn/g) ?? []);
  };

  it('input is kept, sent when the server is back, and stored once', async () => {
    await fillIn('Roof');
    await world.pause();
    await page.getByText('Connection lost').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').filter({ hasText: 'did not answer' }).waitFor();
    expect(await page.getByLabel('Site').inputValue()).toBe('Roof');
    await world.resume();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('1 document', { exact: true }).waitFor();
    expect(await sites()).toEqual(['Roof']);
  });

  it('a send that got no answer is carried out once', async () => {
    await fillIn('Barn');
    let sent = 0;
    await page.route(/\/blocks\//, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      sent += 1;
      if (sent > 1) return route.continue();
      // It arrives, and the connection breaks before the answer.
      await route.fetch();
      return route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('2 documents', { exact: true }).waitFor();
    await expect.poll(() => sent).toBe(2);
    expect(await sites()).toEqual(['Roof', 'Barn']);
    await page.unroute(/\/blocks\//);
  });

  it('a screen that cannot load says so and recovers, while others stay usable', async () => {
    await window.actAs('registry');
    await page
      .getByText('2 documents')
      .or(page.getByRole('cell', { name: 'Barn' }))
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Blocks' }).click();
    await page.getByRole('treeitem').first().waitFor();
    await world.pause();
    await page.getByText('Connection lost').waitFor();
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('alert').getByText('could not be loaded').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Sunlight' }).waitFor();
    await page.getByRole('link', { name: 'Blocks' }).click();
    await page.getByRole('treeitem').first().waitFor();
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText('could not be loaded').waitFor();
    await world.resume();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    const reloaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Try again' }).click();
    await reloaded;
    await page.getByRole('table').getByRole('link').first().waitFor();
    expect(new URL(page.url()).hash).toMatch(/documents$/);
  });

  it('opening the page says so, and continues when the server is back', async () => {
    await page.route(/settings\.json/, async (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('The server does not respond. Check that it is running').waitFor();
    await page.unroute(/settings\.json/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sunlight' }).waitFor();
  });
});
