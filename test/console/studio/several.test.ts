/** Several blocks are selected, moved by mouse or keyboard, copied and deleted at once; block types are dragged into the tree. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from '../support/axe.js';
import { chromiumPath } from '../support/browser.js';
import { openStudio, type StudioJourney } from '../support/studio.js';

describe.skipIf(chromiumPath === undefined)('In the tree of the studio, the author of a draft', () => {
  let journey: StudioJourney;
  let page: Page;
  let tree: StudioJourney['tree'];
  let node: StudioJourney['node'];

  beforeAll(async () => {
    journey = await openStudio();
    ({ page, tree, node } = journey);
  });

  afterAll(async () => journey.close());

  const selected = (): Locator => tree().getByRole('treeitem', { selected: true });
  const tagsIn = async (parent: string): Promise<string[]> => {
    const { config } = await journey.definition();
    const section = [config, ...config.children].find(({ tag }) => tag === parent);
    return (section?.children ?? []).map(({ tag }) => tag);
  };
  const become = async (parent: string, test: (tags: string[]) => unknown, expected: unknown): Promise<void> =>
    expect.poll(async () => test(await tagsIn(parent))).toEqual(expected);
  const undone = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Undo' }).click();
  };
  /** Where in the row it is dropped: its middle, or near an edge. */
  const drag = async (subject: Locator, to: Locator, where: 'before' | 'inside' | 'after'): Promise<void> => {
    const y = { before: 6, inside: 20, after: 34 }[where];
    await subject.dragTo(to, { sourcePosition: { x: 60, y: 14 }, targetPosition: { x: 60, y } });
  };

  it('selects several with Ctrl and Shift, with mouse and keyboard', async () => {
    await node('save_rejected').click();
    await node('mint').click({ modifiers: ['Control'] });
    await expect.poll(async () => selected().count()).toBe(2);
    await page.getByText('2 blocks are selected').waitFor();
    await node('save_rejected').click();
    await expect.poll(async () => selected().count()).toBe(1);
    await tree().press('Shift+ArrowDown');
    await tree().press('Shift+ArrowDown');
    await expect.poll(async () => selected().count()).toBe(3);
    await tree().press('Shift+ArrowUp');
    await expect.poll(async () => selected().count()).toBe(2);
    await expectNothingFromAxe(page);
    await tree().press('Escape');
    await expect.poll(async () => selected().count()).toBe(1);
  });

  it('moves, copies and deletes them by keyboard, each in one step that is undone as one', async () => {
    const before = await tagsIn('registry');
    const from = before.indexOf('save_rejected');
    const [first = '', second = ''] = before.slice(from);
    await node(first).click();
    await node(second).click({ modifiers: ['Shift'] });
    await tree().press('Alt+ArrowUp');
    await become('registry', (tags) => tags.slice(from - 1, from + 1), [first, second]);
    await undone();
    await become('registry', (tags) => tags, before);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await node('producer').click();
    await page.getByRole('button', { name: 'Paste' }).click();
    await become('producer', (tags) => tags.slice(-2), [`${first}_2`, `${second}_2`]);
    await node(`${first}_2`).click();
    await node(`${second}_2`).click({ modifiers: ['Shift'] });
    await tree().press('Delete');
    await become('producer', (tags) => tags.some((tag) => tag.endsWith('_2')), false);
    await undone();
    await become('producer', (tags) => tags.slice(-2), [`${first}_2`, `${second}_2`]);
    await undone();
    await become('producer', (tags) => tags.length > 0 && tags.every((tag) => !tag.endsWith('_2')), true);
    await become('registry', (tags) => tags, before);
  });

  it('drags one before another, several into a container, and none into itself', async () => {
    const before = await tagsIn('registry');
    await drag(node('mint'), node('decide'), 'before');
    await become('registry', (tags) => tags.indexOf('mint') + 1 === tags.indexOf('decide'), true);
    await undone();
    await become('registry', (tags) => tags, before);
    await node('save_rejected').click();
    await node('mint').click({ modifiers: ['Control'] });
    await drag(node('mint'), node('producer'), 'inside');
    await become('producer', (tags) => tags.slice(-2), ['save_rejected', 'mint']);
    await expect.poll(async () => selected().count()).toBe(2);
    await undone();
    await become('registry', (tags) => tags, before);
    await drag(node('registry'), node('decide'), 'after');
    expect(await tagsIn('registry')).toEqual(before);
  });

  it('drags a type from the palette to where its block is to be', async () => {
    const type = page
      .getByRole('group', { name: 'Block types' })
      .getByRole('button', { name: 'Information', exact: true });
    await drag(type, node('decide'), 'after');
    await become('registry', (tags) => tags[tags.indexOf('decide') + 1], 'information');
    await page.getByRole('region', { name: 'Properties' }).getByRole('heading', { name: 'information' }).waitFor();
    expect(journey.window.watched.problems).toEqual([]);
  });
});
