/** How a policy begins in the console: from a template, from a file, or as the next version of a published one. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from '../support/axe.js';
import { chromiumPath } from '../support/browser.js';
import { alice, owner } from '../support/console-world.js';
import { openJourney, type Journey } from '../support/journey.js';

const notice = {
  name: 'notice',
  title: 'Notice board',
  description: 'A page with one notice.',
  policy: {
    policyRoles: ['Reader'],
    config: {
      blockType: 'interfaceContainerBlock',
      tag: 'page',
      permissions: ['ANY_ROLE'],
      defaultActive: true,
      children: [
        { blockType: 'informationBlock', tag: 'notice', permissions: ['ANY_ROLE'], uiMetaData: { title: 'Hello' } },
      ],
    },
  },
};

describe.skipIf(chromiumPath === undefined)('A new policy', () => {
  let journey: Journey;
  let page: Page;

  beforeAll(async () => {
    journey = await openJourney({ people: [alice, owner], at: () => '/policies', engine: { templates: [notice] } });
    ({ page } = journey);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  afterAll(async () => journey.close());

  const tree = () => page.getByRole('tree', { name: 'Blocks of the draft' });

  it('begins from a template, and is open to be edited', async () => {
    await page.getByRole('button', { name: 'New policy' }).click();
    const dialog = page.getByRole('dialog', { name: 'New policy' });
    await dialog.getByLabel('Name of the policy').fill('Our board');
    await expectNothingFromAxe(page);
    expect(await dialog.getByLabel('Notice board').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Create and edit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Our board' }).waitFor();
    await tree()
      .getByRole('treeitem', { name: /notice/ })
      .waitFor();
  });

  it('begins empty, with a hint at what belongs there', async () => {
    await page.getByRole('link', { name: 'Policies' }).click();
    await page.getByRole('button', { name: 'New policy' }).click();
    const dialog = page.getByRole('dialog', { name: 'New policy' });
    await dialog.getByLabel('Name of the policy').fill('Bare');
    await dialog.getByLabel('Empty policy').check();
    await dialog.getByRole('button', { name: 'Create and edit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bare' }).waitFor();
    await page.getByText('Choose what the page shows').waitFor();
    await expectNothingFromAxe(page);
  });

  it('begins from a file of JSON', async () => {
    await page.getByRole('link', { name: 'Policies' }).click();
    const file = JSON.stringify({ name: 'By hand', ...notice.policy });
    await page
      .getByLabel('Import a policy')
      .setInputFiles({ name: 'by-hand.json', mimeType: 'application/json', buffer: Buffer.from(file) });
    await page.getByRole('heading', { level: 1, name: 'By hand' }).waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await tree()
      .getByRole('treeitem', { name: /notice/ })
      .waitFor();
  });

  it('is the next version of a published one, which itself does not change', async () => {
    const { engine, policyId } = journey.world;
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    await page.getByRole('link', { name: 'Policies' }).click();
    await page
      .getByRole('row', { name: /Sunlight/ })
      .getByRole('link', { name: 'Next version' })
      .click();
    await page.getByText('A published policy does not change').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await expectNothingFromAxe(page);
    await page.getByRole('button', { name: 'Edit the next version' }).click();
    await page.getByText('1.0.1').waitFor();
    await page.getByRole('link', { name: 'Versions' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect(journey.window.watched.problems).toEqual([]);
  });

  it('is offered for one’s own policies only', async () => {
    await page.getByRole('link', { name: 'Policies' }).click();
    await page
      .getByRole('row', { name: /Our board/ })
      .getByRole('link', { name: 'Edit' })
      .waitFor();
    await journey.window.actAs('alice');
    await page.getByRole('cell', { name: 'Published', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).first().waitFor({ state: 'detached' });
    expect(await page.getByRole('link', { name: 'Next version' }).count()).toBe(0);
  });
});
