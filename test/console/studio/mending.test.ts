/** A policy with ten mistakes that authors make, mended by clicking what its findings propose, and nothing else. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { added, renamed, set } from '../../mistakes/mistake.js';
import { blockOf, soundPolicy, type Policy } from '../../mistakes/sound-policy.js';
import { expectNothingFromAxe } from '../support/axe.js';
import { chromiumPath } from '../support/browser.js';
import { owner } from '../support/console-world.js';
import { openJourney, type Journey } from '../support/journey.js';
import { takePicture } from '../support/picture.js';

const link = { source: 'mint', output: 'RunEvent', target: 'save_approved', input: 'RunEvent', actor: '' };
const note = { ...blockOf(soundPolicy(), 'report'), tag: 'note' };

const at =
  (tag: string, edit: (block: unknown) => void) =>
  (policy: Policy): void => {
    edit(blockOf(policy, tag));
  };

/** What is wrong, what a finding says of it, and the button that mends it. */
const mistakes: readonly (readonly [make: (policy: Policy) => void, says: string, fix: string])[] = [
  [at('wait', renamed('children', 'childs')), 'blocks in childs', 'Call it children'],
  [at('report', set('permissions', ['Verifier'])), 'Nobody can reach "report"', 'Open it to Producer'],
  [
    at('all_reports', set('uiMetaData.fields.0.name', 'document.credentialSubject.0.siet')),
    'shows the field "siet"',
    'Use document.credentialSubject.0.site',
  ],
  [at('all_reports', set('uiMetaData.fields.1.type', 'txt')), 'the type "txt"', 'Use text'],
  [at('decide', set('uiMetaData.buttons.0.field', 'options.status')), 'sets options.status', 'Use option.status'],
  [at('reports', set('filters.0.value', 'reprot')), 'looks for type "reprot"', 'Use report'],
  [at('producer', added('children', note)), 'documents of the form "note"', 'Add after note: Send'],
  [added('schemas.0.document.required', 'kilowattHour'), '"report" uses the schema', 'Remove kilowattHour'],
  [set('tokens.0.tokenType', 'funjible'), 'tokenType "funjible"', 'Use fungible'],
  [
    at('mint', (mint) => {
      set('events', [link])(mint);
      set('stopPropagation', false)(mint);
    }),
    'A run of "mint" comes back to it',
    'Remove the link to save_approved',
  ],
];

describe.skipIf(chromiumPath === undefined)('A policy with ten mistakes', () => {
  let journey: Journey;
  let page: Page;
  let draft: string;

  beforeAll(async () => {
    journey = await openJourney({
      people: [owner],
      at: () => '/policies',
      before: async ({ engine }) => {
        const policy = soundPolicy();
        for (const [make] of mistakes) make(policy);
        draft = (await engine.importPolicy(owner, policy)).policy.id;
      },
    });
    ({ page } = journey);
    await page.setViewportSize({ width: 1440, height: 900 });
    await journey.window.open(`/policies/${draft}/edit`);
  });

  afterAll(async () => journey.close());

  const all = (): Locator => page.getByRole('region', { name: 'Findings' });
  const finding = (says: string): Locator => all().getByRole('listitem').filter({ hasText: says });

  it('lists them all, each with its place', async () => {
    await page.getByRole('button', { name: /1 error/ }).click();
    for (const [, says] of mistakes) await finding(says).first().waitFor();
    await expectNothingFromAxe(page);
    await takePicture(page, 'studio-findings');
  });

  it.each(mistakes)('is rid of %#', async (_make, says, fix) => {
    await finding(says).first().getByRole('button', { name: fix }).click();
    await finding(says).first().waitFor({ state: 'detached' });
  });

  it('has a block that was added say where it saves documents, by another click', async () => {
    await finding('sends to no place').getByRole('button', { name: 'Use database' }).click();
    await finding('sends to no place').waitFor({ state: 'detached' });
  });

  it('is without findings in the end', async () => {
    const { engine } = journey.world;
    await page.getByRole('button', { name: 'No findings' }).waitFor();
    expect(await engine.getFindings(owner, draft)).toEqual([]);
    expect(journey.window.watched.problems).toEqual([]);
  });
});
