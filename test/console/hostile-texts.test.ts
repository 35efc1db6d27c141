/** Texts that would be elements and scripts, wherever people and policies may put texts: they stay texts, on every screen. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Caller } from '@blockwork/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { expectLoaded } from './support/console-page.js';
import { owner, type ConsoleWorld } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';

const hostile = '<img src=x onerror="document.title=\'taken over\'">';
const mallory: Caller = { did: 'did:example:mallory', username: hostile, role: 'USER' };
const sunlight = new URL('../../examples/test-a-policy/sunlight.policy.json', import.meta.url);

/** The names of the policy, a role, a schema, a field, a column, a status, a button, a token and a block are hostile. */
const replaced = /"(?:Sunlight|Producer|Report|Site|Waiting|Approve|Sunlight credit|SUN|reports)"/g;

describe.skipIf(chromiumPath === undefined)('Hostile text is rendered as text', () => {
  let journey: Journey;
  let page: Page;
  let policyId: string;
  let documentId: string;

  const before = async ({ engine }: ConsoleWorld): Promise<void> => {
    const written = (await readFile(sunlight, 'utf8')).replaceAll(replaced, JSON.stringify(hostile));
    const { policy } = await engine.importPolicy(owner, JSON.parse(written) as object);
    policyId = policy.id;
    await engine.lifecycle.dryRun(owner, policyId);
    await engine.sendToBlock(mallory, policyId, { tag: 'choose_role' }, { role: hostile });
    const report = { document: { site: hostile, kilowattHours: 1 }, ref: null };
    await engine.sendToBlock(mallory, policyId, { tag: 'report' }, report);
    documentId = (await engine.documents.list(owner, policyId)).items[0]?.id ?? '';
  };
  const staysText = async (): Promise<void> => {
    await page.getByText(hostile).filter({ visible: true }).first().waitFor();
    await expectLoaded(page);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Blockwork console');
  };

  beforeAll(async () => {
    journey = await openJourney({ at: () => '/policies', people: [mallory, owner], before });
    ({ page } = journey);
  });
  afterAll(async () => journey.close());

  it('in the list of policies', async () => {
    await page.getByRole('link', { name: hostile }).waitFor();
    await staysText();
  });

  it.each(['page', 'live', 'picture', 'documents', 'tokens', 'trial', 'journal', 'findings', 'versions', 'api'])(
    'on the screen of a policy called %s',
    async (tab) => {
      await journey.window.open(`/policies/${policyId}/${tab}`);
      await staysText();
    },
  );

  it('in a grid, with its columns, values and buttons', async () => {
    await journey.window.open(`/policies/${policyId}/page`);
    await page.getByRole('columnheader', { name: hostile }).waitFor();
    await page.getByRole('cell', { name: hostile, exact: true }).first().waitFor();
    await page.getByRole('button', { name: hostile, exact: true }).waitFor();
    await staysText();
  });

  it('in a document, and in the chain behind it', async () => {
    await journey.window.open(`/policies/${policyId}/documents/${documentId}`);
    await page.getByText('Trusted', { exact: true }).waitFor();
    await page.getByText('Document', { exact: true }).click();
    await staysText();
  });

  it('as the name of a trial user, and of a savepoint', async () => {
    await journey.window.open(`/policies/${policyId}/trial`);
    await page.getByLabel('Name of a person').fill(hostile);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Act as ${hostile}` }).waitFor();
    await page.getByLabel('Name of the savepoint').fill(hostile);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Go back to ${hostile}` }).waitFor();
    await staysText();
  });

  it('in a form, and as the name of the user who fills it in', async () => {
    await journey.window.open('/policies');
    await page.getByLabel('Acting as').selectOption(mallory.did);
    await journey.window.open(`/policies/${policyId}/page`);
    await page.getByRole('textbox', { name: hostile }).waitFor();
    await staysText();
    expect(journey.window.watched.problems).toEqual([]);
  });
});
