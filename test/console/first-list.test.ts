/** The list of policies, which most people see first, is asked for before the libraries of the page are there. */
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { alice, owner } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';

describe.skipIf(chromiumPath === undefined)('While the page still loads its libraries', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await openJourney({ at: () => '/policies', people: [owner, alice] });
  });
  afterAll(async () => journey.close());

  it('the policy list is requested once, as the active user', async () => {
    const { page } = journey;
    const routes: Route[] = [];
    let isHeld = true;
    const paths: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/v1/policies') paths.push(request.headers()['authorization']);
    });
    // The stream would have the list read again as soon as it is open.
    await page.route(/\/events/, () => undefined);
    await page.route('**/assets/libraries-*', async (route) => {
      if (isHeld) routes.push(route);
      else await route.continue();
    });
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/v1/policies');
    const reloaded = page.reload();
    await answered;
    await expect.poll(() => routes.length).toBeGreaterThan(0);
    expect(await page.getByRole('heading').count()).toBe(0);
    isHeld = false;
    for (const route of routes) await route.continue();
    await reloaded;
    await page.getByRole('link', { name: 'Sunlight' }).waitFor();
    expect(paths).toHaveLength(1);
    expect(paths[0]?.slice(0, 60)).toBe(`Bearer ${journey.world.token(alice)}`.slice(0, 60));
  });

  it('only data for the current address is requested', async () => {
    const { page, window, world } = journey;
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto('about:blank');
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    await window.open(`/policies/${world.policyId}/findings`);
    await page.getByRole('heading', { level: 1, name: 'Sunlight' }).waitFor();
    expect(paths).not.toContain('/api/v1/policies');
  });
});
