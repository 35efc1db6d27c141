/** Groups on the page of a policy: who founds one invites others, and takes them out again. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';
import { openConsolePage } from './support/console-page.js';

/** Milliseconds after which what no event tells is read again. */
const NEVER_TOLD_MS = 15_000;

const bob = { did: 'did:example:bob', username: 'bob', role: 'USER' };

const config = {
  ...{ blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'], defaultActive: true },
  uiMetaData: { type: 'blank' },
  children: [
    {
      ...{ blockType: 'policyRolesBlock', tag: 'join', permissions: ['NO_ROLE'], defaultActive: true },
      ...{ roles: [], groups: ['Cooperative'] },
    },
    {
      ...{ blockType: 'groupManagerBlock', tag: 'group', permissions: ['Producer'], defaultActive: true },
      ...{ canInvite: 'owner', canDelete: 'owner', uiMetaData: { title: 'My cooperative' } },
    },
  ],
};
const cooperative = {
  ...{ name: 'Cooperative', creator: 'Producer', members: ['Producer'] },
  ...{ groupRelationshipType: 'Multiple', groupAccessType: 'Private' },
};

async function addPolicyWithGroups({ engine }: ConsoleWorld): Promise<string> {
  const file = { name: 'Groups', config, policyRoles: ['Producer'], policyGroups: [cooperative] };
  const { policy } = await engine.importPolicy(owner, file);
  await engine.lifecycle.dryRun(owner, policy.id);
  return policy.id;
}

describe.skipIf(chromiumPath === undefined)('The page of a policy with groups', () => {
  let journey: Journey;
  let page: Page;
  let policyId: string;

  beforeAll(async () => {
    journey = await openJourney({ before: async (world) => (policyId = await addPolicyWithGroups(world)) });
    ({ page } = journey);
    // Its clock goes on as always, until it is set forward.
    await page.clock.install();
    await journey.window.open(`/policies/${policyId}/page`);
    await journey.window.signIn(alice);
  });
  afterAll(async () => journey.close());

  const memberNamed = (name: string) => page.getByRole('row').filter({ hasText: name });

  it('shows the founder the members, and offers them no way to leave', async () => {
    await page.getByLabel('Label of the group (Cooperative)').fill('Hilltop');
    await page.getByRole('button', { name: 'Cooperative' }).click();
    await page.getByRole('heading', { name: 'My cooperative' }).waitFor();
    await page.getByRole('heading', { name: /^Hilltop/ }).waitFor();
    await memberNamed('alice').getByText('Owner').waitFor();
    expect(await page.getByRole('button', { name: 'Remove from group' }).count()).toBe(0);
    await expectNothingFromAxe(page);
  });

  it('copies an invitation, and whoever redeems it becomes a member', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Invite a member' }).click();
    await page.getByRole('button', { name: 'Copy the invitation' }).click();
    await page.getByText('Copied.').waitFor();
    const invitation = await page.evaluate<string>('navigator.clipboard.readText()');
    const other = await openConsolePage(journey.browser, journey.world);
    await other.open(`/policies/${policyId}/page`);
    await other.signIn(bob);
    await other.page.getByLabel('Or join by invitation').fill(invitation);
    await other.page.getByRole('button', { name: 'Join' }).click();
    await other.page.getByRole('heading', { name: /^Hilltop/ }).waitFor();
    // Only the founder invites and takes out.
    expect(await other.page.getByRole('button', { name: 'Invite a member' }).count()).toBe(0);
    expect(await other.page.getByRole('button', { name: 'Remove from group' }).count()).toBe(0);
    await other.page.context().close();
    // No event tells members of it.
    await page.clock.fastForward(NEVER_TOLD_MS);
    await memberNamed('bob').getByText('Member', { exact: true }).waitFor();
  });

  it('removes a member with a reason', async () => {
    await memberNamed('bob').getByRole('button', { name: 'Remove from group' }).click();
    await page.getByLabel('Reason').fill('Moved away');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove from group' }).click();
    await memberNamed('bob').waitFor({ state: 'detached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(journey.window.watched.problems).toEqual([]);
  });
});
