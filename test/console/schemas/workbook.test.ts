/** A workbook with three bad cells: its errors are read, corrected, imported and published. */
import { readWorkbook, rowOf, writeWorkbook, type CellValue } from '@blockwork/spreadsheet';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from '../support/axe.js';
import { chromiumPath } from '../support/browser.js';
import { openConsolePage } from '../support/console-page.js';
import { owner } from '../support/console-world.js';
import { openJourney, type Journey } from '../support/journey.js';
import { watchShifts } from '../support/layout-shifts.js';

const titles = [
  ...['Required Field', 'Field Type', 'Parameter', 'Visibility', 'Question', 'Allow Multiple Answers', 'Answer'],
  ...['Default', 'Suggest', 'Key'],
];
type Line = readonly (CellValue | { readonly formula: string } | undefined)[];
const field = (type: string, visibility: string | undefined, question: string, key: string): Line => [
  ...['No', type, undefined, visibility === undefined ? undefined : { formula: visibility }, question, 'No'],
  ...[undefined, undefined, undefined, key],
];

function workbookOf(...fields: readonly Line[]): Buffer {
  const lines: Line[] = [['Reading'], ['Description', 'What a meter shows'], ['Schema Type', 'VC'], titles, ...fields];
  return Buffer.from(
    writeWorkbook({ sheets: [{ name: 'Reading', rows: lines.map((line, at) => rowOf(at + 1, line)) }] }),
  );
}

const bad = workbookOf(
  field('Strnig', undefined, 'Meter', 'meter'),
  field('Number', undefined, 'Kilowatt hours', 'kilowatt hours'),
  field('String', 'G5>3', 'Note', 'note'),
);
const corrected = workbookOf(
  field('String', undefined, 'Meter', 'meter'),
  field('Number', undefined, 'Kilowatt hours', 'kilowattHours'),
  field('String', 'EXACT(G5,"broken")', 'Note', 'note'),
);

describe.skipIf(chromiumPath === undefined)('An author with a workbook', () => {
  let journey: Journey;
  let page: Page;
  let draft = '';

  beforeAll(async () => {
    journey = await openJourney({
      before: async ({ engine }) => {
        const { policy } = await engine.importPolicy(owner, {
          name: 'Meters',
          config: {
            ...{ blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] },
            children: [{ blockType: 'informationBlock', tag: 'note', permissions: ['ANY_ROLE'] }],
          },
        });
        draft = policy.id;
      },
      at: () => `/policies/${draft}/schemas`,
      people: [],
    });
    await journey.window.signIn(owner);
    ({ page } = journey);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
  afterAll(async () => journey.close());

  const choose = async (name: string, buffer: Buffer): Promise<void> => {
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    await page.getByLabel('Import from Excel').setInputFiles({ name, mimeType, buffer });
    await page.getByRole('heading', { name: `Import of ${name}` }).waitFor();
  };
  const preview = (name: string) => page.getByRole('region', { name: `Import of ${name}` });

  it('reads which cells are wrong, and nothing is imported', async () => {
    await choose('meters.xlsx', bad);
    const region = preview('meters.xlsx');
    await region.getByText('3 cells have errors.').waitFor();
    for (const cell of ['Reading!B5', 'Reading!J6', 'Reading!D7'])
      await region.getByRole('rowheader', { name: cell }).waitFor();
    expect(await region.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0);
    await expectNothingFromAxe(page);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('imports the corrected one, and sees its fields and its condition', async () => {
    await choose('corrected.xlsx', corrected);
    await preview('corrected.xlsx').getByText('Reading: new').waitFor();
    await preview('corrected.xlsx').getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported 1 schema.').waitFor();
    await expect.poll(() => page.getByLabel('Question 2').inputValue()).toBe('Kilowatt hours');
    await page.getByText('When Meter is broken, ask Note.').waitFor();
  });

  it('exports what is there, and a changed question comes back as the change of one field', async () => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export to Excel' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('schemas.xlsx');
    const { sheets } = readWorkbook(await readFile(await saved.path()));
    const [sheet, ...others] = sheets;
    const rows = (sheet?.rows ?? []).map((row) =>
      row.number === 6 ? { ...row, cells: new Map([...row.cells, ['E', { value: 'Energy' }]]) } : row,
    );
    const edited = Buffer.from(writeWorkbook({ sheets: [{ name: 'Reading', rows }, ...others] }));
    await choose('edited.xlsx', edited);
    await preview('edited.xlsx').getByText('Reading: changed – changes kilowattHours').waitFor();
    await preview('edited.xlsx').getByRole('button', { name: 'Import', exact: true }).click();
    await expect.poll(() => page.getByLabel('Question 2').inputValue()).toBe('Energy');
  });

  it('publishes it; then it is read, and no more changed', async () => {
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByLabel('Version to publish').fill('1.0.0');
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Schemas are changed in a draft.').waitFor();
    expect(await page.getByRole('button', { name: 'Import from Excel' }).count()).toBe(0);
    expect(await page.getByLabel('Question 2').isEditable()).toBe(false);
    await expectNothingFromAxe(page);
    expect(journey.window.watched.problems).toEqual([]);
  });

  it.each(['first', 'last'] as const)(
    'nothing jumps while the screen is read, whichever answer comes %s',
    async (next) => {
      const window = await openConsolePage(journey.browser, journey.world);
      await window.page.setViewportSize({ width: 1440, height: 900 });
      await window.open('/policies');
      await window.signIn(owner);
      const shifts = await watchShifts(window.page, next);
      await window.open(`/policies/${draft}/schemas`);
      await window.page.reload();
      await shifts.settled();
      expect(await shifts.take()).toEqual({ sum: 0, moved: [] });
    },
  );
});
