/** Forms with what is more than one value: places and lists. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath, openBrowser, type Windows } from './support/browser.js';
import { openConsolePage, type ConsolePage } from './support/console-page.js';
import { alice, openConsoleWorld, owner, type ConsoleWorld } from './support/console-world.js';

const sunlight = new URL('../../examples/test-a-policy/sunlight.policy.json', import.meta.url);

const position = { type: 'array', minItems: 2, items: { type: 'number' } };
const line = { type: 'array', minItems: 2, items: position };
const bbox = { type: 'array', minItems: 4, items: { type: 'number' } };
const geometry = (kind: string, coordinates: object): object => ({
  title: `GeoJSON ${kind}`,
  type: 'object',
  required: ['type', 'coordinates'],
  properties: { type: { type: 'string', enum: [kind] }, coordinates, bbox },
});
const geoJson = {
  $id: '#GeoJSON',
  type: 'object',
  title: 'GeoJSON',
  oneOf: [geometry('Point', position), geometry('LineString', line)],
};

const operator = { type: 'string', title: 'operator', description: 'Operator of the grid' };
const conditionalFields = {
  advice: { type: 'null', title: 'advice', description: 'Look at the meter first.' },
  grid: { type: 'string', enum: ['connected', 'apart'], title: 'grid', description: 'Grid' },
  operator,
};
const connectedToGrid = {
  if: { properties: { grid: { const: 'connected' } }, required: ['grid'] },
  then: { properties: { operator: { ...operator, $comment: '{"conditionRequired":true}' } } },
  else: { properties: { operator: false } },
};

interface Schema {
  readonly document: { readonly properties: Record<string, unknown>; $defs?: unknown; allOf?: unknown };
}

interface Reports {
  readonly data: { readonly document: { readonly credentialSubject: Record<string, unknown>[] } }[];
}

describe.skipIf(chromiumPath === undefined)('A form asks', () => {
  let world: ConsoleWorld;
  let browser: Windows;
  let window: ConsolePage;
  let policyId: string;

  beforeAll(async () => {
    world = await openConsoleWorld();
    const file = JSON.parse(await readFile(sunlight, 'utf8')) as { readonly schemas: readonly Schema[] };
    const { document } = file.schemas[0] ?? {};
    if (document === undefined) throw new Error('The policy has no schema.');
    document.properties['place'] = { $ref: '#GeoJSON', title: 'place', description: 'Place' };
    document.properties['parts'] = { type: 'array', items: { $ref: '#GeoJSON' }, title: 'parts', description: 'Parts' };
    document.properties['meters'] = { type: 'array', items: { type: 'string' }, title: 'Meters' };
    Object.assign(document.properties, conditionalFields);
    document.allOf = [connectedToGrid];
    document.$defs = { '#GeoJSON': geoJson };
    const { policy } = await world.engine.importPolicy(owner, file);
    policyId = policy.id;
    await world.engine.lifecycle.dryRun(owner, policyId);
    await world.engine.sendToBlock(alice, policyId, { tag: 'choose_role' }, { role: 'Producer' });
    browser = await openBrowser();
    window = await openConsolePage(browser, world);
    await window.open(`/policies/${policyId}/page`);
    await window.signIn(alice);
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  const subjects = async (): Promise<unknown[]> => {
    const { data } = await world.engine.readBlock<Reports>(alice, policyId, { tag: 'my_reports' });
    return data.map(({ document }) => {
      const { site, place, parts, meters } = document.credentialSubject[0] ?? {};
      return { site, place, parts, meters };
    });
  };

  it('for a point by its coordinates, and for other shapes as GeoJSON', async () => {
    const { page } = window;
    await page.getByLabel('Site').fill('Hill');
    await page.getByLabel('Kilowatt hours').fill('7');
    const place = page.getByRole('group', { name: 'Place', exact: true });
    await place.getByLabel('Shape').selectOption('A point');
    await place.getByText('A point needs a longitude and a latitude.').waitFor();
    await place.getByLabel(/^Longitude/).fill('30.5');
    await place.getByLabel(/^Latitude/).fill('50.4');
    const parts = page.getByRole('group', { name: 'Parts', exact: true });
    await parts.getByText('No items yet.').waitFor();
    await parts.getByRole('button', { name: 'Add to Parts' }).click();
    await parts.getByLabel('Shape').selectOption('Another, as GeoJSON');
    const text = parts.getByRole('textbox', { name: 'GeoJSON' });
    await text.fill('{ "type": "LineString"');
    await parts.getByText('This is not a JSON object.').waitFor();
    await text.fill('{ "type": "LineString", "coordinates": [[1, 2], [3, "x"]] }');
    await expectNothingFromAxe(page);
    await page.getByRole('button', { name: 'Send' }).click();
    await parts.getByText('coordinates/1/1 must be number').waitFor();
    await text.fill('{ "type": "LineString", "coordinates": [[1, 2], [3, 4]] }');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').getByText('Sent.').waitFor();
    const [line, point] = [
      {
        type: 'LineString',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
      { type: 'Point', coordinates: [30.5, 50.4] },
    ];
    expect(await subjects()).toEqual([{ site: 'Hill', place: point, parts: [line] }]);
    // The form begins anew.
    expect(await place.getByLabel('Shape').inputValue()).toBe('none');
  });

  it('for lists, whose items are stacked and can be removed', async () => {
    const { page } = window;
    await page.getByLabel('Site').fill('Roof');
    await page.getByLabel('Kilowatt hours').fill('8');
    const meters = page.getByRole('group', { name: 'Meters', exact: true });
    for (const name of ['a', 'b', 'c']) {
      await meters.getByRole('button', { name: 'Add to Meters' }).click();
      await meters.getByRole('textbox').last().fill(name);
    }
    const boxes = await Promise.all((await meters.getByRole('textbox').all()).map((each) => each.boundingBox()));
    const tops = boxes.map((box) => box?.y ?? 0);
    expect(
      boxes.every((box, at) => at === 0 || (box?.y ?? 0) >= (tops[at - 1] ?? 0) + (boxes[at - 1]?.height ?? 0)),
    ).toBe(true);
    await meters.getByRole('button', { name: 'Remove item 2' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').getByText('Sent.').waitFor();
    expect(await subjects()).toContainEqual({ site: 'Roof', meters: ['a', 'c'] });
  });

  it('for what a condition demands, only while it holds', async () => {
    const { page } = window;
    await page.getByText('Look at the meter first.').waitFor();
    const field = page.getByLabel('Operator of the grid');
    expect(await field.count()).toBe(0);
    await page.getByLabel('Site').fill('Shed');
    await page.getByLabel('Kilowatt hours').fill('9');
    await page.getByLabel('Grid', { exact: true }).selectOption('connected');
    await field.waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('This field is required.').waitFor();
    await field.fill('Northern lines');
    await page.getByLabel('Grid', { exact: true }).selectOption('apart');
    await field.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').getByText('Sent.').waitFor();
    expect(await subjects()).toContainEqual({ site: 'Shed' });
  });
});
