/** A draft of 2,000 blocks is edited like a small one: what is drawn and asked for does not grow with it. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.js';
import { owner } from '../support/console-world.js';
import { openJourney, type Journey } from '../support/journey.js';

const block = (blockType: string, tag: string, children: readonly object[] = []) => ({
  ...{ blockType, tag, children },
  ...{ permissions: ['Reader'], defaultActive: true },
});
const sections = Array.from({ length: 199 }, (_, section) =>
  block(
    'interfaceContainerBlock',
    `section_${String(section)}`,
    Array.from({ length: 9 }, (_, at) => block('informationBlock', `note_${String(section)}_${String(at)}`)),
  ),
);
const policy = {
  name: 'Large',
  policyRoles: ['Reader'],
  config: { ...block('interfaceContainerBlock', 'root', sections), permissions: ['ANY_ROLE'] },
};

describe.skipIf(chromiumPath === undefined)('In the studio, a draft of 2,000 blocks', () => {
  let journey: Journey;
  let page: Page;
  let draft: string;

  beforeAll(async () => {
    journey = await openJourney({
      people: [owner],
      at: () => '/policies',
      before: async ({ engine }) => {
        draft = (await engine.importPolicy(owner, policy)).policy.id;
      },
    });
    ({ page } = journey);
    await page.setViewportSize({ width: 1440, height: 900 });
    await journey.window.open(`/policies/${draft}/edit`);
  });

  afterAll(async () => journey.close());

  const tree = () => page.getByRole('tree', { name: 'Blocks of the draft' });
  const node = (tag: string) => tree().getByRole('treeitem', { name: new RegExp(`^\\W*${tag}\\b`) });
  const isBounded = async (): Promise<void> => {
    expect(await tree().getByRole('treeitem').count()).toBeLessThan(100);
    // Proposals of tags are in the page once.
    expect(await page.evaluate<number>('document.querySelectorAll("option").length')).toBeLessThan(2_500);
  };

  it('draws the blocks in view, wherever one scrolls', async () => {
    await node('section_0').waitFor();
    await page.getByText('1,991 blocks').waitFor();
    await isBounded();
    await tree().press('End');
    await node('note_198_8').waitFor();
    await isBounded();
  });

  it('answers a key with one edit and one reading, and tells what is wrong now', async () => {
    await tree().press('Enter');
    await page.getByRole('heading', { name: 'note_198_8' }).waitFor();
    await page.getByRole('button', { name: 'No findings' }).waitFor();
    const paths: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      paths.push(`${request.method()} ${pathname.split(draft)[1] ?? pathname}`);
    });
    await page.getByRole('region', { name: 'Properties' }).getByLabel('Reader').press('Space');
    await page.getByRole('button', { name: '1 error' }).waitFor();
    await page.getByText(/^Saved/).waitFor();
    // The policy is also read by the page around the studio, which has its name.
    expect(paths.sort()).toEqual(['GET ', 'GET /definition', 'GET /findings', 'POST /edits']);
    await isBounded();
    expect(journey.window.watched.problems).toEqual([]);
  });
});
