/** What operators see of the server, and what programmers see of a policy. */
import { BlockworkError, MemoryStore } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath, openBrowser, type Windows } from './support/browser.js';
import { expectLoaded, openConsolePage, type ConsolePage } from './support/console-page.js';
import { alice, openConsoleWorld, owner, type ConsoleWorld } from './support/console-world.js';
import { tabTo } from './support/keyboard.js';

/** A link that nothing goes over, and a message that waits for it. */
const away = new BlockworkError('LINK_UNAVAILABLE', { facts: { reason: 'the broker is away' } });
const link = {
  publish: () => Promise.reject(away),
  subscribe: () => Promise.reject(away),
  onLoss: () => () => undefined,
  status: () => ({ isConnected: false, reason: 'away', setAside: 0, losses: 0 }),
  close: () => Promise.resolve(),
};
const message = { type: 'request', to: 'south', policyId: 'p', startMessageId: '1700000000.000000001' };
const pending = { id: 'm', topic: 'instance/south', message, createdAt: '2026-01-01T00:00:00.000Z' };

async function storeWithMessage(): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'outbox', partition: INSTANCE, value: pending }] });
  return store;
}

describe.skipIf(chromiumPath === undefined)('The operator screen', () => {
  let world: ConsoleWorld;
  let browser: Windows;
  let window: ConsolePage;

  beforeAll(async () => {
    world = await openConsoleWorld({ engine: { link, store: await storeWithMessage() } });
    browser = await openBrowser();
    window = await openConsolePage(browser, world);
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.open('/operator');
    await window.signIn(alice);
    await window.signIn(owner);
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  it('shows readiness, backlog and limits', async () => {
    const { page } = window;
    await page.getByText('The store accepts writes.').waitFor();
    await page.getByText('Changes are kept in memory').waitFor();
    await page.getByRole('rowheader', { name: 'Undecided requests from other instances' }).waitFor();
    await page.getByText('All limits of this server').click();
    await page.getByRole('cell', { name: 'hops', exact: true }).waitFor();
    await page.getByText('None of your policies has a pending timer.').waitFor();
    await expectNothingFromAxe(page);
  });

  it('lists unsent messages with addressee, reason and a link to their request', async () => {
    const { page } = window;
    const outbox = page.getByRole('region', { name: 'Unsent messages' });
    await outbox.getByRole('cell', { name: 'south', exact: true }).waitFor();
    await outbox.getByRole('cell', { name: away.message }).waitFor();
    const request = outbox.getByRole('link', { name: 'Request', exact: true });
    expect(await request.getAttribute('href')).toBe(`#/requests/${message.startMessageId}`);
    await page.getByRole('heading', { name: 'Other failing work' }).waitFor();
  });

  it('lists the slowest units of work with a link to their block', async () => {
    const { page, open } = window;
    const role = { role: 'None of them' };
    await expect(world.engine.sendToBlock(alice, world.policyId, { tag: 'choose_role' }, role)).rejects.toThrow();
    const units = page.getByRole('region', { name: 'Slowest units of work' });
    const [failed] = await world.engine.operation.slowUnits(owner);
    await units.getByRole('cell', { name: failed?.code ?? 'no code', exact: true }).waitFor();
    await units.getByRole('link', { name: 'choose_role', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search by tag or type' }).waitFor();
    await expect
      .poll(() => page.getByRole('searchbox', { name: 'Search by tag or type' }).inputValue())
      .toBe('choose_role');
    await page
      .getByRole('treeitem', { name: /choose_role/ })
      .first()
      .waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Operator', level: 1 }).waitFor();
    await open('/operator');
  });

  it('links a failure to the log lines of its request, under an address that can be shared', async () => {
    const { page, open } = window;
    await open('/requests/1700000000.000000009');
    const id = page.getByRole('alert').getByRole('link');
    const requestId = (await id.textContent()) ?? '';
    await id.click();
    const lines = page.getByRole('list', { name: 'Log' });
    await lines.getByText(`requestId: ${requestId}`).first().waitFor();
    await lines.getByText('status: 404').first().waitFor();
    await page.reload();
    await lines.getByText(`requestId: ${requestId}`).first().waitFor();
    expect(await page.getByRole('searchbox', { name: 'Request id' }).inputValue()).toBe(requestId);
    await page.getByRole('searchbox', { name: 'Request id' }).fill('no-such-request');
    await page.getByText('This node has no such line.').waitFor();
    expect(page.url()).toContain('request=no-such-request');
    expect(await page.content()).not.toContain(world.token(owner).slice(0, 40));
    await open('/operator');
  });

  it('shows at once when the server goes away and when it is back', async () => {
    const { page } = window;
    await world.pause();
    await page.getByText('Not ready').waitFor();
    await world.resume();
    await page.getByText('The store accepts writes.').waitFor();
    await page.getByText('Not ready').waitFor({ state: 'detached' });
  });

  it('shows the state of the server to operators only', async () => {
    const { page, actAs } = window;
    await actAs('alice');
    await page.getByText('are for its operators').waitFor();
    await page.getByText('The store accepts writes.').waitFor();
    await page.getByRole('heading', { name: 'Unsent messages' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByText('hops', { exact: true }).count()).toBe(0);
    const refused = await fetch(`${world.url}/api/v1/operation`, {
      headers: { authorization: `Bearer ${world.token(alice)}` },
    });
    expect(refused.status).toBe(403);
  });

  it('lists the calls that the user’s roles may make, ready to copy, by keyboard alone', async () => {
    const { page, open } = window;
    await open(`/policies/${world.policyId}/api`);
    await page.getByText('policyRolesBlock choose_role').first().waitFor();
    expect(await page.getByText('buttonBlock decide').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Role' }).focus();
    await tabTo(page, /^Copy the command for sendChooseRole$/i);
    await page.keyboard.press('Enter');
    await page.getByText('Copied.').waitFor();
    const line = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(line).toContain('Bearer $BLOCKWORK_TOKEN');
    expect(line).toContain(`${world.url}/api/v1/policies/${world.policyId}/tag/choose_role/blocks`);
    expect(await page.content()).not.toContain(world.token(alice).slice(0, 40));
  });

  it('lists all calls to the owner, filtered by text and role', async () => {
    const { page, actAs } = window;
    await actAs('registry');
    await page.getByText('buttonBlock decide').first().waitFor();
    await expectNothingFromAxe(page);
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Producer');
    await page.getByText('buttonBlock decide').first().waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search by tag or type' }).fill('nothing like this');
    await page.getByText('No block that you may call matches.').waitFor();
  });

  it.each([360, 2560])('fits a window of %i pixels without horizontal scrolling', async (width) => {
    const { page, open } = window;
    await page.setViewportSize({ width, height: 900 });
    for (const screen of ['/operator', `/policies/${world.policyId}/api`]) {
      await open(screen);
      await page.getByRole('heading', { level: 2 }).nth(2).waitFor();
      await expectLoaded(page);
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      expect({ screen, beyond: Math.max(0, beyond) }).toEqual({ screen, beyond: 0 });
    }
  });

  it('sends no request to another host', () => {
    expect([...window.watched.hosts]).toEqual([world.url]);
  });
});
