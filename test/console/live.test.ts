/** What happens elsewhere is seen at once, and a restart of the server neither loses nor doubles anything. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { openConsolePage, type ConsolePage } from './support/console-page.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { becomeProducer, openJourney, sendReport, type Journey } from './support/journey.js';

describe.skipIf(chromiumPath === undefined)('The console updates live with', () => {
  let journey: Journey;
  let world: ConsoleWorld;
  let window: ConsolePage;

  beforeAll(async () => {
    journey = await openJourney({ at: (id) => `/policies/${id}/page`, people: [owner], before: becomeProducer });
    ({ world, window } = journey);
    await window.page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  });

  afterAll(async () => journey.close());

  const report = async (site: string): Promise<unknown> => sendReport(world, site);

  it('what another user sends, without polling', async () => {
    const { page } = window;
    await page.getByText('No documents.').first().waitFor();
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    await report('Roof');
    await page.getByRole('cell', { name: 'Roof' }).waitFor();
    // What the event names, and nothing on suspicion: the policy itself and the findings have not moved.
    expect(paths.filter((path) => path.endsWith(`/policies/${world.policyId}`) || path.endsWith('/findings'))).toEqual(
      [],
    );
  });

  it('what the same user does in a second window', async () => {
    const second = await openConsolePage(journey.browser, world);
    await second.open(`/policies/${world.policyId}/page`);
    await second.signIn(alice);
    await second.page.getByLabel('Site').fill('Window');
    await second.page.getByLabel('Kilowatt hours').fill('1');
    await second.page.getByRole('button', { name: 'Send' }).click();
    await window.page.getByRole('cell', { name: 'Window' }).waitFor();
    await window.page.getByRole('row').filter({ hasText: 'Window' }).getByRole('button', { name: 'Approve' }).click();
    await second.page.getByText('Approved').first().waitFor();
    await second.page.context().close();
  });

  it('the touched blocks, which light up in the tree', async () => {
    const { page, open } = window;
    await open(`/policies/${world.policyId}/live`);
    await page.getByText('No changes since this page was opened.').waitFor({ state: 'detached' });
    await report('Barn');
    const row = page.getByRole('treeitem').filter({ has: page.getByText('report', { exact: true }) });
    // Its touch by an earlier report is there already; the owner's decision was the last since.
    await row.locator('.touch.latest', { hasText: 'data sent' }).waitFor();
  });

  it('what happened while the server was unreachable, each event once', async () => {
    const { page, open } = window;
    await open(`/policies/${world.policyId}/journal`);
    const entries = page.getByText(/sent data to report/);
    await expect.poll(() => entries.count()).toBe(3);
    await world.pause();
    await page.getByText('Connection lost').waitFor();
    await report('Shed');
    await world.resume();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await expect.poll(() => entries.count()).toBe(4);
    await report('Field');
    await expect.poll(() => entries.count()).toBe(5);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });
});
