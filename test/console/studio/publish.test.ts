/** From a template to a changed, tried and published policy, and a policy edited as code. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from '../support/axe.js';
import { chromiumPath } from '../support/browser.js';
import { owner } from '../support/console-world.js';
import { openStudio, type StudioJourney } from '../support/studio.js';

describe.skipIf(chromiumPath === undefined)('A draft, in the studio,', () => {
  let journey: StudioJourney;
  let page: Page;
  let draft: string;
  let tree: StudioJourney['tree'];
  let node: StudioJourney['node'];
  let definition: StudioJourney['definition'];

  beforeAll(async () => {
    journey = await openStudio();
    ({ page, draft, tree, node, definition } = journey);
  });

  afterAll(async () => journey.close());

  const trial = () => page.getByRole('region', { name: 'Trial' });
  const code = () => page.getByRole('textbox', { name: 'The policy as JSON' });
  /** In place of all that is there. */
  const write = async (text: string): Promise<void> => {
    await code().press('Control+a');
    await page.keyboard.insertText(text);
  };

  it('is shown and edited as code, in both directions, with its findings in place', async () => {
    const { engine } = journey.world;
    await page.getByRole('button', { name: 'Code' }).click();
    await code().getByText('"Sunlight"', { exact: true }).first().waitFor();
    await engine.editing.edit(owner, draft, [{ op: 'setText', name: 'description', value: 'Short.' }]);
    await code().getByText('"Short."', { exact: true }).waitFor();
    await expectNothingFromAxe(page);
    const text = JSON.stringify({ ...(await definition()), description: 'Typed.' }, null, 2);
    await write(text);
    await expect.poll(async () => (await definition()).description).toBe('Typed.');
    await write(text.replace('"policyRoles"', 'policyRoles'));
    // Of a long text, the part in view is drawn.
    await code().press('Control+Home');
    await page.locator('.cm-lint-marker-error').first().waitFor();
    await write(text.replace('"Producer"', '"Maker"'));
    await code().press('Control+Home');
    await page.getByRole('button', { name: /errors/ }).waitFor();
    await page.locator('.cm-lint-marker-error').first().waitFor();
    await write(text);
    await page.getByRole('button', { name: 'No findings' }).waitFor();
    await page.getByRole('button', { name: 'Code' }).click();
    await tree().waitFor();
  });

  it('has members and values proposed as it is written, and says what its words mean', async () => {
    await page.getByRole('button', { name: 'Code' }).click();
    const before = await definition();
    await code().press('Control+Home');
    await code().getByText('"config"', { exact: true }).click();
    for (const key of ['End', 'Enter']) await code().press(key);
    await page.keyboard.type('"onErr');
    const proposed = page.locator('.cm-tooltip-autocomplete').getByRole('option');
    const member = proposed.filter({ hasText: 'onErrorAction' });
    await member.waitFor();
    await expectNothingFromAxe(page);
    await member.click();
    await page.keyboard.type('"');
    await proposed.filter({ hasText: 'no-action' }).click();
    await page.keyboard.type(',');
    await expect.poll(async () => (await definition()).config['onErrorAction']).toBe('no-action');
    await code().getByText('"interfaceContainerBlock"', { exact: true }).first().hover();
    await page.locator('.cm-explained strong').filter({ hasText: 'Container' }).waitFor();
    await write(JSON.stringify(before, null, 2));
    await expect.poll(async () => (await definition()).config['onErrorAction']).toBeUndefined();
    await page.getByRole('button', { name: 'Code' }).click();
    await tree().waitFor();
  });

  it('is tried in place as any person, and what was entered is there again after an edit', async () => {
    await page.getByRole('button', { name: 'Try it' }).click();
    await trial().getByLabel('Name of a person').fill('Ben');
    await trial().getByRole('button', { name: 'Add a person' }).click();
    await trial().getByText('You are using this page as Ben.').waitFor();
    await trial().getByRole('button', { name: 'Producer' }).click();
    await trial().getByLabel('Site').fill('Roof');
    await trial().getByLabel('Kilowatt hours').fill('12');
    await trial().getByRole('button', { name: 'Send' }).click();
    await trial().getByText('Waiting').first().waitFor();
    await expectNothingFromAxe(page);
    await page.getByRole('button', { name: 'Back to editing' }).click();
    await node('mint').click();
    await page.getByRole('region', { name: 'Properties' }).getByLabel('Rule').fill('kilowattHours * 2');
    await page.getByText(/^Saved/).waitFor();
    await expect.poll(async () => JSON.stringify(await definition())).toContain('kilowattHours * 2');
    await page.getByRole('button', { name: 'Try it' }).click();
    await trial().getByText('You are using this page as Ben.').waitFor();
    await trial().getByText('Waiting').first().waitFor();
    await page.getByRole('button', { name: 'Back to editing' }).click();
    await page.getByRole('button', { name: 'Try it' }).waitFor();
  });

  it('shows how it differs from what is published, and is published with one button', async () => {
    await page.getByRole('link', { name: 'Changes', exact: true }).click();
    await page.getByText('Compared with the published version 1.0.0').waitFor();
    await page
      .getByText(/kilowattHours \* 2/)
      .first()
      .waitFor();
    await expectNothingFromAxe(page);
    await page.getByRole('button', { name: 'Publish 1.0.1' }).click();
    await page.getByText('Published', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Changes', exact: true }).count()).toBe(0);
    expect(journey.window.watched.problems).toEqual([]);
  });
});
