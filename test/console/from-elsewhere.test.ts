/** Documents from elsewhere on the page of a policy: uploaded ones, those of another policy, and what was published of them. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';

const open = { permissions: ['ANY_ROLE'], defaultActive: true };
const READING = '#5a1e0000-0000-4000-8000-000000000031&1.0.0';
const OTHER = '#5a1e0000-0000-4000-8000-000000000032&1.0.0';
const hostile = '<img src=x onerror="document.title=\'taken over\'">';

const schema = (iri: string, name: string, title: string): object => ({
  ...{ iri, name, status: 'PUBLISHED', entity: 'VC', contextURL: `https://ipfs.io/ipfs/${name.length}` },
  document: {
    ...{ $id: iri, type: 'object', required: ['value'] },
    properties: {
      '@context': { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      ...{ type: { type: 'string' }, id: { type: 'string' }, policyId: { type: 'string' } },
      value: { type: 'number', title },
    },
  },
});

const rootWith = (children: object[]): object => ({
  ...{ blockType: 'interfaceContainerBlock', tag: 'root', ...open, uiMetaData: { type: 'blank' } },
  children,
});

const publish = {
  ...{ blockType: 'sendToGuardianBlock', tag: 'publish', permissions: ['ANY_ROLE'], dataSource: 'auto' },
  ...{ documentType: 'vc', entityType: 'reading', topic: 'root', stopPropagation: true },
};

/** Publishes what is filled in, in the topic of the policy. */
const source = {
  name: `Source ${hostile}`,
  policyRoles: [],
  schemas: [schema(READING, `Reading ${hostile}`, 'Value'), schema(OTHER, 'Other', 'Another')],
  config: rootWith([
    { blockType: 'requestVcDocumentBlock', tag: 'reading', ...open, schema: READING, idType: 'UUID' },
    publish,
  ]),
};

const target = {
  name: 'Target',
  policyRoles: [],
  schemas: [schema(READING, 'Reading', 'Value')],
  config: rootWith([
    {
      ...{ blockType: 'uploadVcDocumentBlock', tag: 'upload', ...open, entityType: 'reading' },
      uiMetaData: { type: 'page', pageTitle: 'Your readings', pageDescription: hostile, buttonText: 'Choose readings' },
    },
    publish,
    { blockType: 'externalTopicBlock', tag: 'topic', ...open, schema: READING, stopPropagation: true },
    { blockType: 'messagesReportBlock', tag: 'messages', ...open },
  ]),
};

describe.skipIf(chromiumPath === undefined)('The page of a policy that takes documents from outside', () => {
  let journey: Journey;
  let page: Page;
  let policyId: string;
  let topicId = '';
  let credential: Record<string, unknown> = {};

  const before = async ({ engine }: ConsoleWorld): Promise<void> => {
    const { policy: from } = await engine.importPolicy(owner, source);
    await engine.lifecycle.publish(owner, from.id, '1.0.0');
    await engine.sendToBlock(alice, from.id, { tag: 'reading' }, { document: { value: 3 }, ref: null });
    const [published] = (await engine.documents.list(owner, from.id)).items.filter(({ type }) => type === 'reading');
    topicId = published?.topicId ?? '';
    credential = published?.document ?? {};
  };

  beforeAll(async () => {
    journey = await openJourney({
      before: async (world) => {
        await before(world);
        const { policy } = await world.engine.importPolicy(owner, target);
        policyId = policy.id;
        await world.engine.lifecycle.publish(owner, policyId, '1.0.0');
      },
    });
    ({ page } = journey);
    await journey.window.open(`/policies/${policyId}/page`);
    await journey.window.signIn(alice);
    await page.getByRole('heading', { name: 'Your readings' }).waitFor();
  });
  afterAll(async () => journey.close());

  it('uploads files and reports which credentials were accepted', async () => {
    await page.getByText(hostile).first().waitFor();
    const file = (name: string, content: unknown) => ({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
    });
    const forged = { ...credential, id: 'urn:forged', credentialSubject: [{ value: 9 }] };
    await page
      .getByLabel('Choose readings')
      .and(page.locator('input'))
      .setInputFiles([file('both.json', [credential, forged]), file('again.json', credential), file(hostile, '{')]);
    const results = page.getByRole('status').getByRole('listitem');
    await results.first().waitFor();
    const texts = await results.allTextContents();
    const ends = [
      /^both.json.*Verified/,
      /^both.json urn:forged Not imported/,
      /^again.json.*Not imported/,
      /not a JSON/,
    ];
    for (const [at, end] of ends.entries()) expect(texts[at]).toMatch(end);
    expect(await page.locator('img').count()).toBe(0);
    await expectNothingFromAxe(page);
  });

  it('selects a topic of another policy, compares schemas and searches for documents', async () => {
    const topic = page.getByLabel('Topic id');
    await topic.fill('0.0.1');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('there is no topic 0.0.1').waitFor();
    await topic.fill(topicId);
    await page.keyboard.press('Enter');
    await page.getByText(`Topic ${topicId} of the policy “Source ${hostile}”`).waitFor();
    await page.getByRole('button', { name: 'Compare all' }).click();
    await page.getByText('has different fields').waitFor();
    await page.getByText('fits', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Import Other' }).count()).toBe(0);
    await expectNothingFromAxe(page);
    await page.getByRole('button', { name: `Import Reading ${hostile}` }).click();
    await page.getByText(`Documents of Reading ${hostile} are imported every night.`).waitFor();
    await page.getByRole('button', { name: 'Check for new ones now' }).click();
    await page.getByRole('button', { name: 'Choose another topic' }).click();
    await topic.waitFor();
  });

  it('shows a message with what it builds on', async () => {
    await page.getByText('No message is selected.').waitFor();
    const field = page.getByLabel('Hash of a document or id of a message');
    await field.fill('1.2');
    await page.keyboard.press('Enter');
    await page.getByText('The policy has published no message 1.2.').waitFor();
    const [uploaded] = (await journey.world.engine.documents.list(owner, policyId)).items;
    await field.fill(uploaded?.hash ?? '');
    await page.getByRole('button', { name: 'Show' }).click();
    const message = page.getByRole('listitem').filter({ hasText: 'VC-Document reading' });
    await message.getByText('alice').waitFor();
    await message.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('dialog').getByText('"value": 3').waitFor();
    await expectNothingFromAxe(page);
    await page.keyboard.press('Escape');
    expect(journey.window.watched.problems).toEqual([]);
  });
});
