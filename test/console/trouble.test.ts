/** When things go wrong: a token that counts no more, and what one person saw asked for by another. */
import type { Page, Request } from 'playwright-core';
import type { Caller } from '@blockwork/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { expectLoaded, type ConsolePage } from './support/console-page.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { openJourney, reportOfAlice, type Journey } from './support/journey.js';

const stranger: Caller = { did: 'did:example:mallory', username: 'mallory', role: 'USER' };
const revoked: Caller & { readonly jti: string } = { ...owner, jti: 'lost-laptop' };

describe.skipIf(chromiumPath === undefined)('The console in trouble', () => {
  let journey: Journey;
  let world: ConsoleWorld;
  let window: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    journey = await openJourney({ before: reportOfAlice });
    ({ world, window, page } = journey);
  });

  afterAll(async () => journey.close());

  it('refuses an expired token and says so', async () => {
    await window.open('/policies');
    await page.getByLabel('Bearer token').fill(world.token(owner, { lifetime: -60 }));
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('This token has expired.').waitFor();
  });

  it('reports a revoked token and what to do about it', async () => {
    await window.signIn(revoked);
    await page.getByRole('link', { name: 'Sunlight' }).waitFor();
    await world.engine.revokedTokens.add(owner, { tokenId: 'lost-laptop', expiresAt: Date.now() + 3_600_000 });
    await window.open(`/policies/${world.policyId}/journal`);
    await page.getByText('Add a new one under “People”').first().waitFor();
    await window.signIn(owner);
    await page.getByText(/sent data to report/).waitFor();
  });

  it('reports a token that expires on an open screen, and continues with a new one', async () => {
    await window.open(`/policies/${world.policyId}/journal`);
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.getByText(/sent data to report/).waitFor();
    world.passTime(365 * 86_400_000);
    await page
      .getByRole('alert')
      .getByText('You are no longer signed in as registry. The token has expired.')
      .waitFor();
    await page.getByRole('status').getByText('Signed out').waitFor();
    // What was read stays readable.
    expect(await page.getByText(/sent data to report/).count()).toBe(1);
    world.passTime(-365 * 86_400_000);
    // The same second would make the same token.
    await window.signIn(owner, { lifetime: 7200 });
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.getByText('no longer signed in').waitFor({ state: 'detached' });
  });

  it('never shows one user the data of the user before them', async () => {
    await window.open(`/policies/${world.policyId}/documents`);
    await page.locator('main table').waitFor();
    await page.route('**/documents?*', async (route) => route.abort());
    await window.signIn(alice);
    await page.getByRole('heading', { level: 1, name: 'Sunlight' }).waitFor();
    expect(await page.locator('main table').count()).toBe(0);
    await page.unroute('**/documents?*');
    await window.actAs('registry');
    await page.locator('main table').waitFor();
  });

  it('tells a user without permissions so on each screen', async () => {
    await window.signIn({ did: 'did:example:nobody', username: 'nobody' });
    const tabs = ['page', 'documents', 'journal', 'timers', 'versions'];
    for (const path of ['/policies', '/requests', ...tabs.map((tab) => `/policies/${world.policyId}/${tab}`)]) {
      await window.open(path);
      await page.getByRole('alert').getByText('PERMISSION_DENIED').first().waitFor();
    }
    await window.actAs('registry');
  });

  it('shows nothing beyond what the interface returns to this user', async () => {
    const paths = new Set<string>();
    const note = (request: Request): void => {
      if (request.method() === 'GET' && /\/api\/v1\/(?!.*events)/.test(request.url())) paths.add(request.url());
    };
    page.on('request', note);
    const { policyId } = world;
    const [document] = (await world.engine.documents.list(owner, policyId)).items;
    const { uuid } = await world.engine.findBlock(owner, policyId, 'all_reports');
    const tabs = ['page', `live/${uuid}`, 'documents', 'tokens', 'timers', 'trial', 'journal', 'findings', 'versions'];
    for (const path of [...tabs.map((tab) => `/${tab}`), `/documents/${String(document?.id)}`]) {
      await window.open(`/policies/${policyId}${path}`);
      await expectLoaded(page);
    }
    page.off('request', note);

    const ask = async (url: string, caller: Caller): Promise<string> =>
      (await fetch(url, { headers: { Authorization: `Bearer ${world.token(caller)}` } })).text();
    const telling: string[] = [];
    for (const url of paths) {
      const [toOwner, toStranger] = [await ask(url, owner), await ask(url, stranger)];
      if (isPrivate(toOwner)) telling.push(url);
      expect({ url, tells: isPrivate(toStranger) }).toEqual({ url, tells: false });
    }
    expect(telling.length).toBeGreaterThanOrEqual(4);
  });
});

/** What Alice entered, and that it was her. */
const isPrivate = (text: string): boolean => text.includes('Roof') || text.includes(alice.did);
