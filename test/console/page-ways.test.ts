/** The page of a policy: modules, tabs without anything in them, and the ways from a row to what it opens. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { fillForm } from './support/fill-form.js';
import { openJourney, type Journey } from './support/journey.js';

const open = { permissions: ['ANY_ROLE'], defaultActive: true };
const blank = { uiMetaData: { type: 'blank' } };
const PLANT = '#5a1e0000-0000-4000-8000-000000000022';

const plant = {
  $id: PLANT,
  type: 'object',
  properties: { field0: { type: 'string', title: 'name', description: 'What the plant is called' } },
  required: ['field0'],
};

const step = (tag: string, children: readonly object[]): object => ({
  ...{ blockType: 'interfaceStepBlock', tag, permissions: ['ANY_ROLE'], defaultActive: false, ...blank, children },
});

const grid = {
  ...{ blockType: 'interfaceDocumentsSourceBlock', tag: 'plants', ...open },
  uiMetaData: {
    fields: [
      { title: 'Plant', name: 'document.credentialSubject.0.field0', type: 'text' },
      { title: 'Why', name: 'hash', type: 'button', action: 'link', bindBlock: 'chain', content: 'Trust chain' },
      { title: 'Survey', name: '', type: 'block', bindBlock: 'survey', content: 'Survey it' },
    ],
  },
  children: [
    {
      ...{ blockType: 'documentsSourceAddon', tag: 'all_plants', dataType: 'vc-documents', ...open },
      filters: [{ type: 'equal', field: 'type', value: 'plant' }],
    },
  ],
};

const form = (tag: string): object => ({
  ...{ blockType: 'requestVcDocumentBlock', tag, ...open, schema: PLANT, idType: 'UUID', presetFields: [] },
  uiMetaData: { type: 'dialog', title: 'A survey' },
});

const save = (tag: string): object => ({
  ...{ blockType: 'sendToGuardianBlock', tag, permissions: ['ANY_ROLE'], dataSource: 'database' },
  ...{ documentType: 'vc', entityType: 'survey' },
});

const config = {
  ...{ blockType: 'interfaceContainerBlock', tag: 'root', ...open, uiMetaData: { type: 'tabs' } },
  children: [
    {
      ...{
        blockType: 'module',
        tag: 'part',
        ...open,
        uiMetaData: { title: 'Plants' },
        inputEvents: [],
        outputEvents: [],
      },
      ...{ variables: [], innerEvents: [] },
      children: [grid, step('once', [form('survey'), save('save')])],
    },
    { blockType: 'interfaceContainerBlock', tag: 'hollow', ...open, uiMetaData: { title: 'Hollow' }, children: [] },
    {
      ...{ blockType: 'interfaceContainerBlock', tag: 'proof', ...open, uiMetaData: { type: 'blank', title: 'Proof' } },
      children: [{ blockType: 'reportBlock', tag: 'chain', ...open, children: [] }],
    },
  ],
};

async function addPlants({ engine }: ConsoleWorld): Promise<string> {
  const schemas = [{ iri: PLANT, name: 'Plant', document: plant }];
  const { policy } = await engine.importPolicy(owner, { name: 'Plants', config, policyRoles: [], schemas });
  await engine.lifecycle.publish(owner, policy.id, '1.0.0');
  const document = {
    ...{ id: 'urn:uuid:north', type: ['VerifiableCredential'], issuer: alice.did },
    credentialSubject: [{ id: 'urn:north', type: PLANT.slice(1), field0: 'North' }],
  };
  await engine.program.documents.add(policy.id, [
    { owner: alice.did, type: 'plant', hash: 'north-hash', document },
  ] as never);
  return policy.id;
}

describe.skipIf(chromiumPath === undefined)('The page of a policy', () => {
  let journey: Journey;
  let page: Page;

  beforeAll(async () => {
    let policyId = '';
    journey = await openJourney({ before: async (world) => (policyId = await addPlants(world)) });
    ({ page } = journey);
    await journey.window.open(`/policies/${policyId}/page`);
    await journey.window.signIn(alice);
  });
  afterAll(async () => journey.close());

  it('shows the content of a module', async () => {
    await page.getByRole('cell', { name: 'North' }).waitFor();
    expect(await page.getByText('no view').count()).toBe(0);
  });

  it('opens the target tab of a row link, and goes back with the browser', async () => {
    await page.getByRole('button', { name: 'Trust chain' }).click();
    await page.getByRole('tab', { name: 'Proof', selected: true }).waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Proof');
    await page.getByText('Policy Plants').waitFor();
    await page.goBack();
    await page.getByRole('cell', { name: 'North' }).waitFor();
  });

  it('removes the row button of a block that has closed', async () => {
    const button = page.getByRole('button', { name: 'Survey it' });
    await button.click();
    await fillForm(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await page.getByRole('cell', { name: 'Survey it' }).waitFor();
    await button.waitFor({ state: 'detached' });
  });

  it('says when a tab is empty', async () => {
    await page.getByRole('tab', { name: 'Hollow' }).click();
    await page.getByRole('tabpanel').getByText('No block is open to you here.').waitFor();
    expect(journey.window.watched.problems).toEqual([]);
  });
});
