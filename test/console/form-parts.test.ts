/** A long form of nested schemas: its parts are closed, and drawn when somebody opens them or has to correct something in them. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';

const sunlight = new URL('../../examples/test-a-policy/sunlight.policy.json', import.meta.url);

const text = (title: string): object => ({ type: 'string', title });
const texts = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${String(at)}`, text(`Text ${String(at)}`)]));
const part = (name: string, title: string): object => ({ $ref: `#${name}`, title, description: title });

const definitions = {
  '#Section': {
    ...{ $id: '#Section', type: 'object', title: 'Section', required: ['code', 'meters'] },
    properties: {
      ...{ code: text('Code'), count: { type: 'number', title: 'Count' }, at: part('GeoJSON', 'Place') },
      choice: { type: 'string', title: 'Own roof', enum: ['Yes', 'No'] },
      meters: { type: 'array', title: 'Meters', items: { $ref: '#Meter' } },
      ...{ inner: part('Inner', 'Inner part'), small: part('Small', 'Small part'), ...texts(10) },
    },
    allOf: [{ if: { properties: { choice: { const: 'Yes' } } }, then: { properties: { reason: text('Reason') } } }],
  },
  '#Inner': { $id: '#Inner', type: 'object', title: 'Inner', properties: { depth: text('Depth'), ...texts(6) } },
  '#Meter': {
    ...{ $id: '#Meter', type: 'object', title: 'Meter', required: ['serial'] },
    properties: { serial: text('Serial'), ...texts(6) },
  },
  '#Small': { $id: '#Small', type: 'object', title: 'Small', properties: { note: text('Note') } },
  '#GeoJSON': {
    ...{ $id: '#GeoJSON', type: 'object', title: 'GeoJSON' },
    oneOf: ['Point', 'MultiPoint'].map((kind) => ({
      ...{ title: `GeoJSON ${kind}`, type: 'object', required: ['type', 'coordinates'] },
      properties: {
        type: { type: 'string', enum: [kind] },
        coordinates: { type: 'array', minItems: 2, items: { type: kind === 'Point' ? 'number' : 'array' } },
      },
    })),
  },
};

const sections = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];

const document = {
  ...{ $id: '#5a1e0000-0000-4000-8000-000000000001', title: 'Report', type: 'object', required: ['site', ...sections] },
  properties: {
    site: text('Site'),
    ...Object.fromEntries(sections.map((name) => [name, part('Section', `Section ${name}`)])),
  },
  $defs: definitions,
};

interface Reports {
  readonly data: { readonly document: { readonly credentialSubject: object[] } }[];
}

describe.skipIf(chromiumPath === undefined)('A long form', () => {
  let journey: Journey;
  let page: Page;
  let policyId: string;

  const addPolicy = async ({ engine }: ConsoleWorld): Promise<void> => {
    const file = JSON.parse(await readFile(sunlight, 'utf8')) as { readonly schemas: object[] };
    const schemas = file.schemas.map((schema) => ({ ...schema, document }));
    const { policy } = await engine.importPolicy(owner, { ...file, schemas });
    policyId = policy.id;
    await engine.lifecycle.dryRun(owner, policyId);
    await engine.sendToBlock(alice, policyId, { tag: 'choose_role' }, { role: 'Producer' });
  };

  beforeAll(async () => {
    journey = await openJourney({ before: addPolicy, at: () => '/policies', people: [alice] });
    ({ page } = journey);
  });

  beforeEach(async () => {
    await journey.window.open('/policies');
    // Else the form of the test before may stay.
    await page.locator('form.rjsf').waitFor({ state: 'detached' });
    await journey.window.open(`/policies/${policyId}/page`);
    await page.getByLabel('Site').waitFor();
  });

  afterAll(async () => {
    expect(journey.window.watched.problems).toEqual([]);
    await journey.close();
  });

  const section = (name: string): Locator => page.locator(`#root_${name}-part`);
  const head = (of: Locator): Locator => of.getByRole('button').first();
  const open = async (of: Locator): Promise<void> => {
    await head(of).click();
    await expect.poll(async () => head(of).getAttribute('aria-expanded')).toBe('true');
  };
  const fillCode = async (name: string): Promise<void> => {
    await open(section(name));
    await section(name).getByLabel('Code').fill(name);
    await head(section(name)).click();
  };
  const fieldsDrawn = async (): Promise<number> => page.locator('form.rjsf :is(input, select, textarea)').count();
  const sent = async (): Promise<object[]> => {
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').getByText('Sent.').waitFor();
    const { data } = await journey.world.engine.readBlock<Reports>(alice, policyId, { tag: 'my_reports' });
    return data.flatMap((row) => row.document.credentialSubject);
  };

  it('renders a section when it is opened, also by keyboard, and keeps its input', async () => {
    expect(await fieldsDrawn()).toBe(1);
    expect(await page.getByRole('button', { name: /^Section .\* Empty$/ }).count()).toBe(sections.length);
    await expectNothingFromAxe(page);
    await page.getByLabel('Site').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await section('A').getByLabel('Code').waitFor();
    // Of the part that is in the part only its own head, and the small one where it stands.
    expect(await section('A').getByLabel('Note').count()).toBe(1);
    expect(await section('A').getByLabel('Depth').count()).toBe(0);
    expect(await page.getByRole('group', { name: 'Section A*', exact: true }).count()).toBe(1);
    await section('A').getByLabel('Count').fill('7');
    await head(section('A')).press('Enter');
    await section('A').getByText('1 filled in, 1 missing').waitFor();
    expect(await fieldsDrawn()).toBe(1);
    await head(section('A')).press('Space');
    await section('A').getByLabel('Code').fill('a');
    expect(await section('A').getByLabel('Count').inputValue()).toBe('7');
    await head(section('A')).click();
    await section('A').getByText('Complete, 2 filled in').waitFor();
  });

  it('submits closed sections too, including conditional fields, lists and points', async () => {
    await page.getByLabel('Site').fill('Hill');
    const [a, b] = [section('A'), section('B')];
    await open(a);
    await a.getByLabel('Code').fill('a');
    await a.getByLabel('Own roof').selectOption('No');
    await expect.poll(async () => a.getByLabel('Reason').count()).toBe(0);
    await a.getByLabel('Own roof').selectOption('Yes');
    await a.getByLabel('Reason').fill('because');
    await a.getByLabel('Count').fill('12');
    await a.getByLabel('Count').fill('');
    await open(a.getByRole('group', { name: 'Inner part' }));
    await a.getByLabel('Depth').fill('deep');
    await head(a).click();
    await open(b);
    await b.getByLabel('Code').fill('b');
    await b.getByLabel('Shape').selectOption('A point');
    await b.getByLabel(/^Longitude/).fill('30.5');
    await b.getByLabel(/^Latitude/).fill('50.4');
    // Whoever adds an item wants to fill it in.
    for (const serial of ['1', '2', '3']) {
      await b.getByRole('button', { name: 'Add to Meters' }).click();
      await b.getByLabel('Serial').last().fill(serial);
    }
    await head(b.getByRole('group', { name: 'Meter 3' })).click();
    await b.getByRole('button', { name: 'Remove item 2' }).click();
    await b.getByRole('group', { name: 'Meter 2' }).getByText('Complete, 1 filled in').waitFor();
    expect(await b.getByLabel('Serial').count()).toBe(1);
    await head(b).click();
    for (const name of sections.slice(2)) await fillCode(name);
    const [subject] = await sent();
    expect(subject).toMatchObject({
      site: 'Hill',
      A: { code: 'a', choice: 'Yes', reason: 'because', meters: [], inner: { depth: 'deep' } },
      B: { code: 'b', at: { type: 'Point', coordinates: [30.5, 50.4] }, meters: [{ serial: '1' }, { serial: '3' }] },
    });
    expect(subject).not.toHaveProperty('A.count');
    // The form begins anew.
    expect(await fieldsDrawn()).toBe(1);
    await section('A').getByText('Empty').waitFor();
  });

  it('can clear a choice that a condition depends on', async () => {
    const a = section('A');
    await open(a);
    await a.getByLabel('Own roof').selectOption('No');
    await expect.poll(async () => a.getByLabel('Reason').count()).toBe(0);
    await a.getByLabel('Own roof').selectOption('');
    await a.getByLabel('Reason').waitFor();
    expect(await a.getByLabel('Own roof').inputValue()).toBe('');
  });

  it('opens the sections with errors and focuses the first invalid field', async () => {
    await page.getByLabel('Site').fill('Hill');
    await page.getByRole('button', { name: 'Send' }).click();
    for (const name of ['A', 'B', 'C', 'D', 'E']) await section(name).getByText('This field is required.').waitFor();
    await section('G').getByText('1 to correct').waitFor();
    expect(await section('F').getByLabel('Code').count()).toBe(0);
    await page.locator('#root_A_code:focus').waitFor();
    await expectNothingFromAxe(page);
    for (const name of ['A', 'B', 'C', 'D', 'E']) {
      await section(name).getByLabel('Code').fill(name);
      await head(section(name)).click();
    }
    await page.getByRole('button', { name: 'Send' }).click();
    await section('G').getByLabel('Code').waitFor();
    await page.locator('#root_F_code:focus').waitFor();
    expect(await section('A').getByLabel('Code').count()).toBe(0);
    await section('F').getByLabel('Code').fill('f');
    // The mark of a list that was changed is worked out without it.
    await section('G').getByRole('button', { name: 'Add to Meters' }).click();
    await head(section('G')).click();
    await section('G').getByText('1 to correct').waitFor();
  });

  it('opens the section of a field that the server rejects, however deep', async () => {
    await page.getByLabel('Site').fill('Roof');
    for (const name of sections) await fillCode(name);
    await open(section('F'));
    await section('F').getByLabel('Shape').selectOption('Another, as GeoJSON');
    await section('F').getByLabel('GeoJSON').fill('{ "type": "Point", "coordinates": [1, "x"] }');
    await head(section('F')).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await section('F').getByText('coordinates/1 must be number').waitFor();
    expect(await section('A').getByLabel('Code').count()).toBe(0);
    await section('F').getByLabel('GeoJSON').fill('{ "type": "Point", "coordinates": [1, 2] }');
    expect(await sent()).toContainEqual(
      expect.objectContaining({ F: expect.objectContaining({ at: { type: 'Point', coordinates: [1, 2] } }) }),
    );
  });
});
