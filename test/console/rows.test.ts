/** Rows of a grid with what acts on them: buttons, choices, forms, tags, and what a service or a script says of a row. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { fillForm } from './support/fill-form.js';
import { openJourney, type Journey } from './support/journey.js';

const open = { permissions: ['ANY_ROLE'], defaultActive: true };
const hostile = '<img src=x onerror="document.title=\'taken over\'">';
const NOTE = '#5a1e0000-0000-4000-8000-000000000021';

const note = {
  $id: NOTE,
  type: 'object',
  properties: { text: { type: 'string', title: 'What was seen' } },
  required: ['text'],
};

const source = (tag: string, type: string): object => ({
  ...{ blockType: 'documentsSourceAddon', tag, dataType: 'vc-documents', ...open },
  filters: [{ type: 'equal', field: 'type', value: type }],
});
const column = (title: string, more: object): object => ({ title, name: '', type: 'block', ...more });
const link = (from: string, output: string, target: string): object => ({
  ...{ source: from, output, target, input: output === 'GetDataEvent' ? output : 'RunEvent', actor: '' },
});

const grid = {
  ...{ blockType: 'interfaceDocumentsSourceBlock', tag: 'plants', ...open, stopPropagation: true },
  uiMetaData: {
    title: 'Plants',
    fields: [
      { title: 'Plant', name: 'document.credentialSubject.0.name', type: 'text' },
      { title: 'Comment', name: 'option.comment', type: 'text' },
      column('Actions', { type: 'blocks', bindBlocks: ['close', 'comment', 'ended'] }),
      column('Verifier', { bindBlock: 'verifier' }),
      column('Notes', { bindBlock: 'note' }),
      column('Tags', { bindBlock: 'tags' }),
      column('Asks', { type: 'blocks', bindBlocks: ['people', 'other_form'] }),
    ],
  },
  events: [link('plants', 'close', 'save'), link('plants', 'comment', 'save'), link('plants', 'verifier', 'save')],
  children: [
    source('all_plants', 'plant'),
    { blockType: 'buttonBlockAddon', tag: 'close', ...open, name: `Close ${hostile}` },
    {
      ...{ blockType: 'buttonBlockAddon', tag: 'comment', ...open, name: 'Comment', dialog: true },
      dialogOptions: { dialogTitle: 'What do you think?', dialogDescription: 'Everybody reads it.' },
    },
    { blockType: 'buttonBlockAddon', tag: 'ended', ...open, name: 'While it runs', hideWhenDiscontinued: true },
    {
      ...{ blockType: 'dropdownBlockAddon', tag: 'verifier', ...open, field: 'assignedTo' },
      ...{ optionName: 'document.credentialSubject.0.name', optionValue: 'document.credentialSubject.0.id' },
      children: [source('verifiers', 'verifier')],
    },
    {
      ...{ blockType: 'requestVcDocumentBlockAddon', tag: 'note', ...open, schema: NOTE, idType: 'UUID' },
      ...{ buttonName: 'Write a note', dialogTitle: 'A note', dialogDescription: 'It refers to the plant.' },
    },
    { blockType: 'tagsManager', tag: 'tags', ...open },
    {
      ...{ blockType: 'dataTransformationAddon', tag: 'names', ...open },
      expression: 'done(documents.map(({ document }) => document.credentialSubject[0].name))',
    },
  ],
};

const config = {
  ...{ blockType: 'interfaceContainerBlock', tag: 'root', ...open, uiMetaData: { type: 'blank' } },
  children: [
    grid,
    {
      ...{ blockType: 'integrationButtonBlock', tag: 'people', ...open, stopPropagation: true },
      ...{ buttonName: 'Ask for people', requestName: 'CENSUS_people' },
      requestParams: { path_of: 'document.credentialSubject.0.name' },
    },
    {
      ...{ blockType: 'transformationButtonBlock', tag: 'other_form', ...open, stopPropagation: true },
      ...{ buttonName: 'As a list', url: 'https://example.org/<b>list</b>' },
      events: [link('other_form', 'GetDataEvent', 'names')],
    },
    {
      ...{ blockType: 'sendToGuardianBlock', tag: 'save', permissions: ['ANY_ROLE'], dataSource: 'database' },
      ...{ documentType: 'vc', entityType: 'plant', stopPropagation: true },
    },
  ],
};

const credential = (type: string, name: string): object => ({
  ...{ owner: alice.did, type },
  document: {
    ...{ id: `urn:uuid:${name}`, type: ['VerifiableCredential'], issuer: alice.did },
    credentialSubject: [{ id: `urn:${name}`, name }],
  },
});

async function addPolicyWithRows({ engine }: ConsoleWorld): Promise<string> {
  const schemas = [{ iri: NOTE, name: 'Note', document: note }];
  const { policy } = await engine.importPolicy(owner, { name: 'Plants', config, policyRoles: [], schemas });
  await engine.lifecycle.publish(owner, policy.id, '1.0.0');
  const documents = [['plant', 'North'], ['plant', 'South'], ['verifier', hostile], ['verifier', 'Bob']] as const; // prettier-ignore
  await engine.program.documents.add(policy.id, documents.map(([type, name]) => credential(type, name)) as never);
  return policy.id;
}

describe.skipIf(chromiumPath === undefined)('A row of a grid', () => {
  let journey: Journey;
  let page: Page;
  let policyId: string;
  let row: Locator;

  beforeAll(async () => {
    const census = ({ params }: { params: object }): { data: object } => ({ data: { people: 812, hostile, params } });
    journey = await openJourney({
      integrations: { requests: { CENSUS_people: census as never } },
      before: async (world) => (policyId = await addPolicyWithRows(world)),
    });
    ({ page } = journey);
    await journey.window.open(`/policies/${policyId}/page`);
    await journey.window.signIn(alice);
    row = page.getByRole('row').filter({ hasText: 'North' });
    await row.waitFor();
  });
  afterAll(async () => journey.close());

  const north = async () => {
    const { items } = await journey.world.engine.documents.list(owner, policyId);
    return items.find(({ document }) => JSON.stringify(document).includes('"North"')) ?? {};
  };

  it('shows each of its blocks, and renders their text as text', async () => {
    await row.getByRole('button', { name: `Close ${hostile}` }).waitFor();
    await row.getByRole('button', { name: 'Add a tag' }).waitFor();
    await row.getByRole('option', { name: hostile }).waitFor({ state: 'attached' });
    // Alone on the page they have nothing to act on.
    expect(await page.getByText('This block is used on the rows of a grid.').count()).toBe(2);
    expect(await page.locator('img').count()).toBe(0);
    await expectNothingFromAxe(page);
  });

  it('has a button that sends the row with the input of its dialog', async () => {
    await row.getByRole('button', { name: 'Comment' }).click();
    const dialog = page.getByRole('dialog', { name: 'What do you think?' });
    await dialog.getByText('Everybody reads it.').waitFor();
    await dialog.getByLabel('Comment').fill(hostile);
    await dialog.getByRole('button', { name: 'Comment' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByRole('cell', { name: hostile, exact: true }).waitFor();
    expect(await north()).toMatchObject({ option: { comment: [hostile] } });
  });

  it('has a dropdown that works by keyboard and sends on confirmation', async () => {
    const choice = row.getByLabel('Verifier');
    const confirm = choice.locator('xpath=..').getByRole('button', { name: 'Choose' });
    expect(await confirm.isDisabled()).toBe(true);
    await choice.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await north()).not.toHaveProperty('assignedTo', 'urn:Bob');
    await choice.selectOption('Bob');
    await confirm.press('Enter');
    await expect.poll(async () => north()).toMatchObject({ assignedTo: 'urn:Bob' });
    await expect.poll(() => choice.locator('option:checked').textContent()).toBe('Bob');
    await expect.poll(() => confirm.isDisabled()).toBe(true);
  });

  it('opens a form based on the row, which reports missing input', async () => {
    await row.getByRole('button', { name: 'Write a note' }).click();
    const dialog = page.getByRole('dialog', { name: 'A note' });
    await dialog.getByText('It refers to the plant.').waitFor();
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('This field is required.').waitFor();
    await expectNothingFromAxe(page);
    await fillForm(page);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('can be tagged, and tags can be removed by their author', async () => {
    await row.getByRole('button', { name: 'Add a tag' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tags of the document' });
    await dialog.getByText('No tags yet.').waitFor();
    await dialog.getByLabel('Name of the tag').fill(hostile);
    await dialog.getByLabel('Description').fill('Look again');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText(`${hostile} Look again`).waitFor();
    await expect.poll(() => dialog.getByLabel('Name of the tag').inputValue()).toBe('');
    await expectNothingFromAxe(page);
    await page.keyboard.press('Escape');
    await row.getByText(hostile, { exact: true }).last().waitFor();
    await row.getByRole('button', { name: 'Tags' }).click();
    await dialog.getByRole('button', { name: `Remove ${hostile}` }).click();
    await dialog.getByText('No tags yet.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('shows the answer of a service, and saves the output of a transformation', async () => {
    await row.getByRole('button', { name: 'Ask for people' }).click();
    await row.getByText('Response received.').waitFor();
    await row.getByRole('button', { name: 'Show the response' }).click();
    await page.getByRole('dialog').getByText('"people": 812').waitFor();
    expect(await page.getByRole('dialog').textContent()).toContain('"of": "North"');
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: 'As a list' }).click();
    await row.getByRole('button', { name: 'Show the response' }).nth(1).click();
    const dialog = page.getByRole('dialog', { name: 'As a list' });
    await dialog.getByText('It is intended for https://example.org/<b>list</b>.').waitFor();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save as a file' }).click();
    expect(JSON.parse(await readFile(await (await download).path(), 'utf8'))).toEqual(['North']);
    await page.keyboard.press('Escape');
  });

  it('loses its actions when the policy ends', async () => {
    await row.getByRole('button', { name: 'While it runs' }).waitFor();
    await journey.world.engine.lifecycle.discontinue(owner, policyId);
    await page.reload();
    await row.getByRole('button', { name: 'Write a note' }).waitFor();
    expect(await row.getByRole('button', { name: 'While it runs' }).count()).toBe(0);
    expect(journey.window.watched.problems).toEqual([]);
  });
});
