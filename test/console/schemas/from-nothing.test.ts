/** A schema of twelve fields with two nested conditions, made from nothing where one looks at it. */
import { readSchema, sentenceOf, type Json } from '@blockwork/contract/schema-model';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from '../support/axe.js';
import { chromiumPath } from '../support/browser.js';
import { owner } from '../support/console-world.js';
import { openJourney, type Journey } from '../support/journey.js';

const questions = [
  ...['Name of the site', 'Technology', 'Capacity', 'Water licence', 'Grid study', 'Connected to the grid'],
  ...['In operation since', 'Contact', 'Address', 'Rotor diameter', 'Module type', 'Notes'],
];

describe.skipIf(chromiumPath === undefined)('An author of a schema', () => {
  let journey: Journey;
  let page: Page;
  let draft = '';

  beforeAll(async () => {
    journey = await openJourney({
      before: async ({ engine }) => {
        const { policy } = await engine.editing.create(owner, { name: 'Certificates' });
        draft = policy.id;
      },
      people: [],
      at: () => `/policies/${draft}/schemas`,
    });
    await journey.window.signIn(owner);
    ({ page } = journey);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(async () => journey.close());

  const saved = async (): Promise<void> => page.getByText('All changes are saved.').waitFor();
  const stored = async (): Promise<Json> => {
    await saved();
    const { definition } = await journey.world.engine.editing.read(owner, draft);
    return (definition.schemas[0] as { document: Json }).document;
  };
  const keys = async (): Promise<string[]> => readSchema(await stored()).fields.map(({ key }) => key);

  it('begins with a name', async () => {
    await page.getByText('The policy has no schemas yet').waitFor();
    await expectNothingFromAxe(page);
    await page.getByLabel('Name of the new schema').fill('Site');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Site not used' }).waitFor();
    expect(await stored()).toMatchObject({ title: 'Site', properties: { policyId: {} } });
  });

  it('types one field after the other, and pastes the rest from a spreadsheet', async () => {
    const input = page.getByLabel('Add a field');
    for (const question of questions.slice(0, 8)) {
      await input.fill(question);
      await input.press('Enter');
    }
    const cells = ['Address', 'Rotor diameter\tNumber\tm\tyes', 'Module type\ttext', 'Notes'].join('\n');
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(cells)})`);
    await input.press('Control+V');
    await page.getByLabel('Question 12').waitFor();
    expect(readSchema(await stored()).fields.map(({ question }) => question)).toEqual(questions);
    expect(readSchema(await stored()).fields[9]).toMatchObject({ type: 'Number', unit: 'm', isRequired: true });
  });

  it('says of what type each is, what is required, and in which order they are asked', async () => {
    await page.getByLabel('Type of Technology').selectOption('Choice');
    await page.getByLabel('Type of Capacity').selectOption('Number');
    await page.getByLabel('Unit of Capacity').fill('kW');
    await page.getByLabel('Type of Connected to the grid').selectOption('Yes or no');
    await page.getByLabel('Type of In operation since').selectOption('Date');
    await page.getByLabel('Required of Name of the site').check();
    await page.getByLabel('Required of Technology').check();
    await page.getByRole('button', { name: 'Details of Technology' }).click();
    await page.getByLabel('Choices, one a line').fill('Wind\nSolar\nHydro');
    const notes = page.getByLabel('Question 12');
    await notes.press('Alt+ArrowUp');
    await expect.poll(() => page.getByLabel('Question 11').inputValue()).toBe('Notes');
    await page.getByLabel('Question 11').press('Alt+ArrowDown');
    await expect.poll(() => page.getByLabel('Question 12').inputValue()).toBe('Notes');
    // By hand as well: the last one to the first place, and back by undoing it.
    // A page that is scrolled between would drag something else.
    await page.setViewportSize({ width: 1440, height: 1600 });
    await page.getByLabel(/^Move Notes/).dragTo(page.getByLabel('Question 1', { exact: true }));
    await expect.poll(async () => (await keys())[0]).toBe('notes');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await keys())[11]).toBe('notes');
    await page.setViewportSize({ width: 1440, height: 900 });
    const { fields } = readSchema(await stored());
    expect(fields.slice(0, 3)).toMatchObject([
      { key: 'nameOfTheSite', isRequired: true },
      { type: 'Enum', choices: ['Wind', 'Solar', 'Hydro'], isRequired: true },
      { type: 'Number', unit: 'kW' },
    ]);
  });

  it('says when to ask what: a group of tests within another, and a field that another condition asks for', async () => {
    await page.getByRole('button', { name: 'Add a condition' }).click();
    const form = page.locator('form.condition');
    await form.getByLabel('Field').selectOption('Connected to the grid');
    await form.getByLabel('Value').selectOption('Yes');
    await form.getByRole('button', { name: 'Add a group' }).click();
    const inner = form.getByRole('group', { name: 'and', exact: true });
    await inner.getByLabel('Field').selectOption('Technology');
    await inner.getByLabel('Value').selectOption('Wind');
    await inner.getByRole('button', { name: 'Add a test' }).click();
    await inner.getByLabel('Field').nth(1).selectOption('Technology');
    await inner.getByLabel('Value').nth(1).selectOption('Solar');
    await form.getByRole('group', { name: 'ask for', exact: true }).getByLabel('Grid study').check();
    await form.getByRole('button', { name: 'Apply' }).click();
    await page
      .getByText('When Connected to the grid is Yes and (Technology is Wind or Solar), ask Grid study.')
      .waitFor();

    await page.getByRole('button', { name: 'Add a condition' }).click();
    await form.getByLabel('Field').selectOption('Technology');
    await form.getByLabel('Value').selectOption('Wind');
    await form.getByRole('group', { name: 'ask for', exact: true }).getByLabel('Rotor diameter').check();
    await form.getByRole('group', { name: 'otherwise ask for' }).getByLabel('Module type').check();
    await form.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('When Technology is Wind, ask Rotor diameter; otherwise ask Module type.').waitFor();
    await expectNothingFromAxe(page);

    const model = readSchema(await stored());
    const question = ([key = '']: readonly string[]): string =>
      model.fields.find((field) => field.key === key)?.question ?? key;
    expect(model.rules.map((rule) => (rule.kind === 'condition' ? sentenceOf(rule, question) : ''))).toEqual([
      'When Connected to the grid is Yes and (Technology is Wind or Solar), ask Grid study.',
      'When Technology is Wind, ask Rotor diameter; otherwise ask Module type.',
    ]);
  });

  it('sees the form at once, which asks what the conditions say', async () => {
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    const beside = page.getByRole('region', { name: 'Beside the fields' });
    await beside.getByLabel('Name of the site').fill('Mill Race');
    await beside.getByLabel('Module type').waitFor();
    expect(await beside.getByLabel('Rotor diameter').count()).toBe(0);
    await beside.getByLabel('Technology').selectOption({ label: 'Wind' });
    await beside.getByLabel('Rotor diameter').fill('90');
    await beside.getByRole('button', { name: 'Check' }).click();
    await beside.getByText('The form would accept this document.').waitFor();
    await page.getByRole('button', { name: 'Example', exact: true }).click();
    await beside.getByText('"technology": "Wind"').waitFor();
    await page.getByRole('button', { name: 'What changes' }).click();
    await beside.getByText('No version of this policy was published yet').waitFor();
  });

  it('is not let to delete what a block uses, and undoes the deletion of what none uses', async () => {
    const { engine } = journey.world;
    const { definition } = await engine.editing.read(owner, draft);
    const form = { blockType: 'requestVcDocumentBlock', tag: 'apply', schema: definition.schemas[0]?.['iri'] };
    await engine.editing.edit(owner, draft, [{ op: 'addBlock', parent: definition.config.id, block: form }]);
    await page.getByRole('button', { name: 'Site 1 block' }).waitFor();
    await page.getByRole('button', { name: 'Delete schema' }).click();
    await page.getByText('“Site” cannot be deleted: it is used by apply.').waitFor();
    await page.getByLabel('Name of the new schema').fill('Draft');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Draft not used' }).waitFor();
    await page.getByRole('button', { name: 'Delete schema' }).click();
    await page.getByText('Deleted “Draft”.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Draft not used' }).waitFor();
    expect(journey.window.watched.problems).toEqual([]);
  });

  it('finds nothing cut off on a narrow window', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Site 1 block' }).click();
    await page.getByLabel('Question 12').waitFor();
    await expectNothingFromAxe(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  });
});
