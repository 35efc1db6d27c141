/** Requests between instances in the console: what another instance offers is looked at, approved or rejected. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message, requestId, rejectedId } from '../http/support/remote-request.js';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import type { ConsolePage } from './support/console-page.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';

describe.skipIf(chromiumPath === undefined)('A user who decides about requests', () => {
  let journey: Journey;
  let world: ConsoleWorld;
  let window: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    const before = async ({ engine: { program } }: ConsoleWorld): Promise<void> => {
      await program.requests.receive(message());
      await program.requests.receive(message(rejectedId, 'remote-policy'));
    };
    journey = await openJourney({ at: () => '/requests', people: [alice, owner], before });
    ({ world, window, page } = journey);
  });

  afterAll(async () => journey.close());

  it('sees what is asked and how long it has been waiting', async () => {
    await page.getByText('Policy remote-policy, with far-away').first().waitFor();
    await page
      .getByText(/waiting for .*, until/)
      .first()
      .waitFor();
    await expectNothingFromAxe(page);
    await window.open(`/requests/${requestId}`);
    await page.getByText('There is no policy with this id here yet').waitFor();
    await expectNothingFromAxe(page);
  });

  it('approves one, which imports the policy', async () => {
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    expect(await world.engine.getPolicy(owner, 'remote-policy')).toMatchObject({ name: 'Remote' });
  });

  it('sees how an offered version differs from the present one', async () => {
    await window.open(`/requests/${rejectedId}`);
    await page.getByRole('columnheader', { name: 'Here' }).waitFor();
    expect(await page.locator('tr.differs').count()).toBe(0);
  });

  it('rejects another with a reason, which is stored', async () => {
    await page.getByLabel('Reason, if you reject it').fill('We have it already.');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('We have it already.').waitFor();
    const { status, closed } = await world.engine.requests.get(owner, rejectedId);
    expect({ status, reason: closed?.reason }).toEqual({ status: 'REJECTED', reason: 'We have it already.' });
  });

  it('filters the list to open requests', async () => {
    await page.getByRole('link', { name: 'All requests' }).click();
    await page.getByLabel('Only open ones').check();
    await page.getByText('No requests concern you.').waitFor();
  });

  it('sees which messages of peers were refused', async () => {
    await page.getByRole('link', { name: 'Refused messages' }).click();
    await page.getByText('No message was refused since the server started.').waitFor();
    await expectNothingFromAxe(page);
  });

  it('needs the permission, and others are told that they lack it', async () => {
    await window.actAs('alice');
    await page.getByRole('alert').getByText('PERMISSION_DENIED').waitFor();
  });
});
