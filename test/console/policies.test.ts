/** What its owner does with a policy in the console: import, look at findings, replace, export, delete, discontinue. */
import { readFile } from 'node:fs/promises';
import { zipSync, strToU8 } from 'fflate';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import type { ConsolePage } from './support/console-page.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { expectNothingFromAxe } from './support/axe.js';
import { openJourney, type Journey } from './support/journey.js';

/** A policy file as an author packs it. */
const policyFile = (name: string, children: readonly object[]): Buffer =>
  Buffer.from(
    zipSync({
      'policy.json': strToU8(
        JSON.stringify({
          name,
          policyRoles: ['Member'],
          config: { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'], children },
        }),
      ),
    }),
  );

const broken = { blockType: 'interfaceDocumentsSourceBlock', tag: 'lost', permissions: ['Stranger'], children: [] };
const unheardOf = { blockType: 'unheardOfBlock', tag: 'odd', permissions: ['ANY_ROLE'] };
const sound = { blockType: 'informationBlock', tag: 'note', permissions: ['ANY_ROLE'] };

describe.skipIf(chromiumPath === undefined)('The owner of a policy', () => {
  let journey: Journey;
  let world: ConsoleWorld;
  let window: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    journey = await openJourney({ at: () => '/policies', people: [alice, owner] });
    ({ world, window, page } = journey);
  });

  afterAll(async () => journey.close());

  const choose = async (label: string, name: string, children: readonly object[]): Promise<void> => {
    const file = { name: `${name}.policy`, mimeType: 'application/zip', buffer: policyFile(name, children) };
    await page.getByLabel(label).setInputFiles(file);
  };

  it('imports a file with findings, and jumps from a finding to its block', async () => {
    await choose('Import a policy', 'Broken', [broken, unheardOf]);
    await page.getByRole('heading', { level: 1, name: 'Broken' }).waitFor();
    await page.getByText('has no source').waitFor();
    await expectNothingFromAxe(page);
    await page.getByRole('link', { name: 'lost' }).first().click();
    await page.getByRole('heading', { name: 'lost' }).waitFor();
    expect(await page.getByRole('treeitem', { selected: true }).textContent()).toContain('lost');
  });

  it('learns why it cannot run yet', async () => {
    await page.getByRole('button', { name: 'Start dry run' }).click();
    await page.getByRole('alert').getByText('The policy has errors').waitFor();
  });

  it('replaces the file of a draft, which keeps its address', async () => {
    const before = new URL(page.url()).hash.split('/')[2];
    await choose('Replace the file', 'Mended', [sound]);
    await page.getByRole('heading', { level: 1, name: 'Mended' }).waitFor();
    expect(new URL(page.url()).hash.split('/')[2]).toBe(before);
  });

  it('exports it as a file that can be imported again', async () => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('Mended.policy');
    const bytes = new Uint8Array(await readFile(await saved.path()));
    const { policy, findings } = await world.engine.importPolicy(owner, bytes);
    // A name that is taken is made another by a number.
    expect(policy.name).toMatch(/^Mended_\d+$/);
    expect(findings).toEqual([]);
    await world.engine.lifecycle.delete(owner, policy.id);
  });

  it('deletes a draft after confirming', async () => {
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This cannot be undone').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
    await page.getByRole('link', { name: 'Mended' }).waitFor({ state: 'detached' });
  });

  it('publishes, creates the next version, and sees how it differs', async () => {
    await page.getByRole('link', { name: 'Sunlight' }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Create the next version' }).click();
    await page.getByText('Draft', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Compare with 1.0.0' }).click();
    await page.getByText('"1.0.0" -> "1.0.1"').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    expect(await page.getByLabel('Version to publish').inputValue()).toBe('1.0.1');
    await page.getByRole('button', { name: 'Close' }).click();
    await expectNothingFromAxe(page);
    await page.getByRole('link', { name: '1.0.0', exact: true }).click();
  });

  it('discontinues it immediately or at a date', async () => {
    await page.getByRole('button', { name: 'Discontinue' }).click();
    await page.getByLabel('At (empty: now)').fill('2099-01-01T00:00');
    await page.getByRole('button', { name: 'Discontinue at this time' }).click();
    await page.getByRole('link', { name: 'Timers' }).click();
    await page.getByText('End of the policy').waitFor();
    await page.getByRole('button', { name: 'Discontinue' }).click();
    await page.getByRole('button', { name: 'Discontinue now' }).click();
    await page.getByText('Discontinued', { exact: true }).waitFor();
  });

  it('is the only one who is offered any of this', async () => {
    await window.actAs('alice');
    await page.getByText('Discontinued', { exact: true }).waitFor();
    for (const name of ['Export', 'Publish', 'Delete']) {
      expect({ name, count: await page.getByRole('button', { name }).count() }).toEqual({ name, count: 0 });
    }
  });
});
