/** An author changes a draft where they look at it: adds, moves, renames, connects and removes blocks, and undoes it all. */
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from '../support/axe.js';
import { chromiumPath } from '../support/browser.js';
import { owner } from '../support/console-world.js';
import { openStudio, type StudioJourney } from '../support/studio.js';
import { takePicture } from '../support/picture.js';

describe.skipIf(chromiumPath === undefined)('In the studio, the owner of a draft', () => {
  let journey: StudioJourney;
  let page: Page;
  let draft: string;
  let tree: StudioJourney['tree'];
  let node: StudioJourney['node'];
  let definition: StudioJourney['definition'];
  let untouched: unknown;

  beforeAll(async () => {
    journey = await openStudio();
    ({ page, draft, tree, node, definition } = journey);
    ({ config: untouched } = await journey.world.engine.getPolicy(owner, draft));
  });

  afterAll(async () => journey.close());

  const properties = () => page.getByRole('region', { name: 'Properties' });
  const read = async (): Promise<string> => JSON.stringify(await definition());

  it('sees the blocks, and the properties of the selected one, without accessibility violations', async () => {
    await node('report').click();
    await properties().getByRole('heading', { name: 'report' }).waitFor();
    expect(await properties().getByLabel('Schema', { exact: true }).inputValue()).not.toBe('');
    await expectNothingFromAxe(page);
    await node('decide').click();
    await properties().getByRole('heading', { name: 'decide' }).waitFor();
    await takePicture(page, 'studio');
  });

  /** Resolves when the draft is as it should be. */
  const becomes = async (test: (text: string) => boolean): Promise<void> =>
    expect.poll(async () => test(await read())).toBe(true);

  it('finds a block type by typing "/", and adds it where it fits', async () => {
    await node('registry').click();
    await tree().press('/');
    await page.keyboard.type('information');
    await page.keyboard.press('Enter');
    await node('information').waitFor();
    await properties().getByRole('heading', { name: 'information' }).waitFor();
    await page.getByText(/^Saved/).waitFor();
    const { config } = await definition();
    expect(config.children[2]?.children.at(-1)).toMatchObject({ tag: 'information', permissions: ['OWNER'] });
  });

  it('sets an option, and sees a finding with its fix at once', async () => {
    await node('mint').click();
    await properties().getByLabel('Rule').fill('kilowattHours * 2');
    await becomes((text) => text.includes('kilowattHours * 2'));
    await page.getByRole('button', { name: 'No findings' }).waitFor();
    await node('report').click();
    await properties().getByLabel('Producer').uncheck();
    await page.getByRole('button', { name: '1 error' }).waitFor();
    await properties().getByRole('button', { name: 'Open it to Producer' }).click();
    await page.getByRole('button', { name: 'No findings' }).waitFor();
  });

  it('sees what is wrong while it is typed, before any of it is saved', async () => {
    const held: Route[] = [];
    let isHeld = true;
    await page.route('**/edits', async (route) => {
      if (isHeld) held.push(route);
      else await route.continue();
    });
    await node('mint').click();
    await properties().getByLabel('Rule').fill('kilowattHours *');
    await page.getByRole('button', { name: '1 error' }).waitFor();
    expect(await read()).toContain('kilowattHours * 2');
    await properties().getByLabel('Rule').fill('kilowattHours * 3');
    await page.getByRole('button', { name: 'No findings' }).waitFor();
    isHeld = false;
    for (const route of held) await route.continue();
    await becomes((text) => text.includes('kilowattHours * 3'));
    await page.unroute('**/edits');
    await page.getByRole('button', { name: 'No findings' }).waitFor();
  });

  it('ticks several roles before the first is saved, and takes them back likewise', async () => {
    await node('report').click();
    const labels = ['The owner', 'People without a role', 'Anybody'];
    const before = JSON.stringify((await definition()).config);
    const whileOneIsSaved = async (choose: (label: string) => Promise<void>): Promise<void> => {
      let save = (): void => undefined;
      const chosen = new Promise<void>((resolve) => (save = resolve));
      await page.route('**/edits', async (route) => {
        await chosen;
        await route.continue();
      });
      for (const label of labels) await choose(label);
      save();
    };
    const tick = (label: string) => properties().getByLabel(label, { exact: true });
    await whileOneIsSaved(async (label) => tick(label).check());
    await becomes((text) => text.includes('"permissions":["Producer","OWNER","NO_ROLE","ANY_ROLE"]'));
    await whileOneIsSaved(async (label) => tick(label).uncheck());
    await expect.poll(async () => JSON.stringify((await definition()).config)).toBe(before);
    await page.unroute('**/edits');
  });

  it('renames a tag with all that names it', async () => {
    await node('decide').click();
    await properties().getByLabel('Tag').fill('decision');
    await properties().getByLabel('Tag').press('Enter');
    await node('decision').waitFor();
    const text = await read();
    expect(text).not.toContain('"decide"');
    expect(text).toContain('"bindBlock":"decision"');
  });

  it('connects two blocks, follows the link, and removes it', async () => {
    await properties().getByLabel('On', { exact: true }).selectOption('Approve');
    await properties().getByLabel('To block').fill('mint');
    await properties().getByRole('button', { name: 'Connect', exact: true }).click();
    await properties().getByRole('button', { name: 'mint', exact: true }).click();
    await properties().getByRole('heading', { name: 'mint' }).waitFor();
    await properties().getByRole('button', { name: 'Disconnect Approve from mint' }).click();
    await becomes((text) => !text.includes('"target":"mint"'));
  });

  it('moves, copies and pastes by keyboard; the copy has a tag of its own', async () => {
    await node('save_rejected').click();
    await tree().press('Alt+ArrowDown');
    await expect
      .poll(async () => (await definition()).config.children[2]?.children.map(({ tag }) => tag).slice(2, 4))
      .toEqual(['save_approved', 'save_rejected']);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await node('producer').click();
    await page.getByRole('button', { name: 'Paste' }).click();
    await node('save_rejected_2').waitFor();
    await properties().getByRole('heading', { name: 'save_rejected_2' }).waitFor();
    await tree().press('Delete');
    await node('save_rejected_2').waitFor({ state: 'detached' });
  });

  it('undoes everything to the same bytes, and does it again', async () => {
    const after = await read();
    const undo = page.getByRole('button', { name: 'Undo' });
    while (await undo.isEnabled()) {
      await undo.click();
      await expect.poll(async () => page.getByText('Saving …').count()).toBe(0);
    }
    const { config } = await journey.world.engine.getPolicy(owner, draft);
    expect(JSON.stringify(config)).toBe(JSON.stringify(untouched));
    const redo = page.getByRole('button', { name: 'Redo' });
    while (await redo.isEnabled()) {
      await redo.click();
      await expect.poll(async () => page.getByText('Saving …').count()).toBe(0);
    }
    expect(await read()).toBe(after);
  });

  it('sees what somebody else changes, and is told if both change the same', async () => {
    const { engine } = journey.world;
    await node('root').click();
    await properties().getByLabel('Name', { exact: true }).focus();
    await engine.editing.edit(owner, draft, [
      {
        op: 'addBlock',
        parent: 'registry',
        block: { blockType: 'informationBlock', tag: 'theirs', permissions: ['OWNER'] },
      },
    ]);
    await node('theirs').waitFor();
    await node('theirs').click();
    const title = properties().getByLabel('Title', { exact: true });
    await properties().getByText('Text and appearance').click();
    await title.pressSequentially('Mine');
    await engine.editing.edit(owner, draft, [
      { op: 'setOption', block: 'theirs', path: '/uiMetaData/title', value: 'Theirs' },
    ]);
    await title.press('Enter');
    const notice = page.getByRole('alert');
    await notice.getByText('Somebody else changed the same').waitFor();
    await notice.getByText('"Theirs"').waitFor();
    await notice.getByText('"Mine"').waitFor();
    await expectNothingFromAxe(page);
    await notice.getByRole('button', { name: 'Use mine' }).click();
    await becomes((text) => text.includes('"title":"Mine"'));
    expect(journey.window.watched.problems).toEqual([]);
  });

  it('is read only in a narrow window, which says so', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('This window is too narrow for editing').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(1);
    await expectNothingFromAxe(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('is the only one who can edit, and others learn who could', async () => {
    await journey.window.actAs('alice');
    await journey.window.open(`/policies/${journey.world.policyId}/edit`);
    await page.getByText('Only the owner of the policy can edit it').waitFor();
    expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
  });
});
