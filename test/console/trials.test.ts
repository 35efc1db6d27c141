/** Trying a policy in the page: being somebody, going back, and saving what was done as a test that passes. */
import { readFile } from 'node:fs/promises';
import { describeFailures, openScenarioWorld, runScenario } from '@blockwork/explorer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import type { ConsolePage } from './support/console-page.js';
import { owner } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';

const sunlight = new URL('../../examples/test-a-policy/sunlight.policy.json', import.meta.url);

describe.skipIf(chromiumPath === undefined)('The owner of a policy on trial', () => {
  let journey: Journey;
  let window: ConsolePage;

  beforeAll(async () => {
    journey = await openJourney({ at: (id) => `/policies/${id}/trial`, people: [owner] });
    ({ window } = journey);
  });
  afterAll(async () => journey.close());

  const axe = async (): Promise<void> => expectNothingFromAxe(window.page);
  const toTrial = async (): Promise<void> => window.page.getByRole('link', { name: 'Trial', exact: true }).click();
  const report = async (site: string, rows: string): Promise<void> => {
    const { page } = window;
    await page.getByLabel('Site').fill(site);
    await page.getByLabel('Kilowatt hours').fill('12.5');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(rows, { exact: true }).waitFor();
  };

  it('records as a new user, saves, continues, and restores a savepoint', async () => {
    const { page } = window;
    await page.getByText('No one yet.').waitFor();
    await page.getByRole('button', { name: 'Start recording' }).click();
    await page.getByRole('button', { name: 'Empty the trial and record' }).click();
    await page.getByText('0 steps').waitFor();
    await page.getByLabel('Name of a person').fill('Ana');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Act as Ana' }).click();
    await page.getByText('You are using this page as Ana.').waitFor();
    await page.getByRole('button', { name: 'Producer' }).click();
    await report('Roof', '1 document');
    await axe();
    await toTrial();
    await page.getByText('2 steps').waitFor();
    await page.getByLabel('Name of the savepoint').fill('One report');
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.getByText('you are here').waitFor();
    await page.getByRole('link', { name: 'Page', exact: true }).click();
    await report('Field', '2 documents');
    await toTrial();
    await page.getByLabel('Name of the savepoint').fill('Two reports');
    await page.keyboard.press('Enter');
    await page.locator('.branches .branches').getByText('Two reports', { exact: true }).first().waitFor();
    await axe();
    await page.getByRole('button', { name: 'Go back to One report' }).click();
    await page.getByText('2 steps').waitFor();
    await page.getByRole('link', { name: 'Page', exact: true }).click();
    await page.getByText('1 document', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Act as yourself again' }).click();
    await page.getByRole('cell', { name: 'Roof' }).waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('cell', { name: 'Approved' }).first().waitFor();
  });

  it('saves the recording as a test that passes', async () => {
    const { page, watched } = window;
    await toTrial();
    await page.getByText('3 steps').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a test' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('sunlight.scenario.json');
    const script = JSON.parse(await readFile(await saved.path(), 'utf8')) as { as: string; tag: string }[];
    expect(script.map(({ as, tag }) => `${as} ${tag}`).slice(0, 4)).toEqual([
      'Ana choose_role',
      'Ana report',
      'owner all_reports',
      'owner decide',
    ]);
    const played = await openScenarioWorld(JSON.parse(await readFile(sunlight, 'utf8')) as object);
    expect(describeFailures('recorded', await runScenario(script, played))).toBe('');
    await played.close();
    expect(watched.problems).toEqual([]);
  });
});
