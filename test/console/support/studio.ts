/** The next version of the world's policy, open in the studio for its owner. */
import type { Locator } from 'playwright-core';
import type { PolicyDefinition } from '@blockwork/core';
import { alice, owner } from './console-world.js';
import { openJourney, type Journey } from './journey.js';

export interface StudioJourney extends Journey {
  /** Id of the draft. */
  readonly draft: string;
  readonly tree: () => Locator;
  /** A block of the tree. */
  readonly node: (tag: string) => Locator;
  /** As it is on the server. */
  readonly definition: () => Promise<PolicyDefinition>;
}

export async function openStudio(): Promise<StudioJourney> {
  let draft = '';
  const journey = await openJourney({
    people: [alice, owner],
    at: () => '/policies',
    before: async ({ engine, policyId }) => {
      await engine.lifecycle.publish(owner, policyId, '1.0.0');
      draft = (await engine.lifecycle.nextVersion(owner, policyId)).policy.id;
    },
  });
  const { page, world, window } = journey;
  const tree = (): Locator => page.getByRole('tree', { name: 'Blocks of the draft' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await window.open(`/policies/${draft}/edit`);
  await tree().waitFor();
  return {
    ...{ ...journey, draft, tree },
    node: (tag) => tree().getByRole('treeitem', { name: new RegExp(`^\\W*${tag}\\b`) }),
    definition: async () => (await world.engine.editing.read(owner, draft)).definition,
  };
}
