/** Why (not)? The reasons in words, found by keyboard alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import type { ConsolePage } from './support/console-page.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { openJourney, reportOfAlice, type Journey } from './support/journey.js';
import { tabTo } from './support/keyboard.js';

describe.skipIf(chromiumPath === undefined)('"Why (not)?"', () => {
  let journey: Journey;
  let world: ConsoleWorld;
  let window: ConsolePage;

  beforeAll(async () => {
    journey = await openJourney({ at: (id) => `/policies/${id}/live`, people: [alice, owner], before: reportOfAlice });
    ({ world, window } = journey);
  });

  afterAll(async () => journey.close());

  it('shows at which ancestor access ends, and that another user has it', async () => {
    const { page } = window;
    const why = page.getByRole('region', { name: 'Why (not)?' });
    await page.getByRole('treeitem').first().waitFor();
    await tabTo(page, 'Search by tag or type');
    await page.keyboard.type('requestVc');
    await tabTo(page, 'Blocks');
    for (const key of ['End', 'Enter']) await page.keyboard.press(key);
    await why.getByText('Not permitted').waitFor();
    expect(await why.locator('.step').count()).toBe(3);
    expect(await why.locator('.step.stops').first().textContent()).toMatch(/Stops here: producer.*Other roles only/);

    await tabTo(page, 'For whom');
    await page.keyboard.type('alice');
    await why.getByText('role Producer').waitFor();
    await why.getByText('Open', { exact: true }).waitFor();
    expect(await why.locator('.step.stops').count()).toBe(0);
  });

  it('shows which source of a grid selects a document', async () => {
    const { page, open } = window;
    const { engine, policyId } = world;
    const { uuid } = await engine.findBlock(owner, policyId, 'all_reports');
    const grid = await engine.readBlock<{ data: { id: string }[] }>(owner, policyId, { tag: 'all_reports' });
    await open(`/policies/${policyId}/live/${uuid}`);
    const why = page.getByRole('region', { name: 'Why is a document (not) here?' });
    await why.getByRole('textbox').fill(grid.data[0]?.id ?? '');
    await why.getByRole('button', { name: 'Ask' }).click();
    await why.getByText('Shown to you', { exact: true }).waitFor();
    await why.getByText('shows it.').waitFor();
  });

  it('answers about other users to the owner only', async () => {
    const { page, actAs } = window;
    await actAs('alice');
    await page.getByRole('region', { name: 'Why (not)?' }).getByText('Not permitted').waitFor();
    expect(await page.getByLabel('For whom').count()).toBe(0);
  });
});
