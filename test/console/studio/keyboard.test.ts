/** From a template to a changed, tried and published policy without a mouse. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.js';
import { owner } from '../support/console-world.js';
import { openJourney, type Journey } from '../support/journey.js';
import { tabTo } from '../support/keyboard.js';

const board = {
  name: 'board',
  title: 'Notice board',
  description: 'A page with two notices.',
  policy: {
    policyRoles: ['Reader'],
    config: {
      blockType: 'interfaceContainerBlock',
      tag: 'page',
      permissions: ['ANY_ROLE'],
      defaultActive: true,
      children: ['first', 'second'].map((tag) => ({
        ...{ blockType: 'informationBlock', tag, permissions: ['ANY_ROLE'], defaultActive: true },
        uiMetaData: { title: `The ${tag}` },
      })),
    },
  },
};

describe.skipIf(chromiumPath === undefined)('By keyboard alone, the author of a policy', () => {
  let journey: Journey;
  let page: Page;

  beforeAll(async () => {
    journey = await openJourney({ people: [owner], at: () => '/policies', engine: { templates: [board] } });
    ({ page } = journey);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: 'Sunlight' }).waitFor();
  });

  afterAll(async () => journey.close());

  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const selected = () => page.getByRole('treeitem', { selected: true });
  const isSelected = async (...tags: readonly string[]): Promise<void> =>
    expect.poll(async () => (await selected().locator('.tag').allTextContents()).sort()).toEqual([...tags].sort());
  /** From pane to pane, to the one that has this. */
  const toTree = async (): Promise<void> => {
    const isThere = async (): Promise<boolean> =>
      page.evaluate(`document.activeElement?.getAttribute('role') === 'tree'`);
    for (let pane = 0; pane < 4 && !(await isThere()); pane += 1) await press('F6');
    expect(await isThere()).toBe(true);
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).not.toBe('none');
  };

  it('begins with a template', async () => {
    await tabTo(page, 'New policy');
    await press('Enter');
    await page.getByLabel('Name of the policy').waitFor();
    await tabTo(page, /^Name of the policy/);
    await page.keyboard.type('Our board');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Our board' }).waitFor();
    await page.getByRole('tree').waitFor();
  });

  it('adds a block by typing what it is called, or by walking through the types', async () => {
    await press('/');
    await page.keyboard.type('information');
    await press('Enter');
    await isSelected('information');
    // The focus is still in the search.
    await page.keyboard.type('container');
    await press('ArrowDown', 'ArrowDown', 'ArrowUp');
    expect(await page.evaluate<string>('document.activeElement.className')).toContain('type');
    await press('Enter');
    await expect.poll(async () => page.getByRole('treeitem').count()).toBe(5);
    await expect.poll(async () => selected().count()).toBe(1);
  });

  it('walks through the tree, selects several, moves and deletes them, and undoes it', async () => {
    await toTree();
    await press('Home', 'ArrowDown', 'Enter');
    await isSelected('first');
    await press('Shift+ArrowDown');
    await isSelected('first', 'second');
    const tags = page.getByRole('treeitem').locator('.tag');
    await press('Alt+ArrowDown');
    await expect
      .poll(async () => (await tags.allTextContents()).slice(0, 4))
      .toEqual(['page', 'information', 'first', 'second']);
    await press('Delete');
    await expect.poll(async () => page.getByRole('treeitem').count()).toBe(3);
    await press('Control+z');
    await expect.poll(async () => page.getByRole('treeitem').count()).toBe(5);
  });

  it('writes a title, and tries the policy with it at once', async () => {
    await toTree();
    await press('Home', 'ArrowDown', 'Enter');
    await isSelected('information');
    await press('F6');
    await tabTo(page, 'Text and appearance');
    await press('Enter');
    await tabTo(page, 'Title');
    await page.keyboard.type('Written by keyboard');
    await press('Control+Enter');
    await page.getByRole('region', { name: 'Trial' }).getByText('Written by keyboard').waitFor();
    await press('Control+Enter');
    await page.getByRole('button', { name: 'Try it' }).waitFor();
  });

  it('publishes it', async () => {
    await press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).waitFor();
    await page.keyboard.type('changes');
    await page.getByRole('option', { name: /Changes/, selected: true }).waitFor();
    await press('Enter');
    await page.getByRole('button', { name: /^Publish / }).waitFor();
    await tabTo(page, /^Publish /);
    await press('Enter');
    await page.getByText('Published', { exact: true }).waitFor();
    expect(journey.window.watched.problems).toEqual([]);
  });
});
