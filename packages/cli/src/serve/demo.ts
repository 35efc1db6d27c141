/** What people who try the server out find prepared: a story that has begun, and a request that waits for an answer. */
import type { Caller, PolicyEngine } from '@blockwork/core';
import { storyPeople, tellStory } from './demo-story.js';
import { offeredPolicy as policy } from './offered-policy.js';
import type { Settings } from './settings.js';

/** An instance whose requests are taken in; here they are made up. */
export const partnerInstance = 'eastern-registry.example';
const offerId = '1794996000.204718335';

export interface Demo {
  /** Whether the example policy is here; over another folder of policies, there is less to show. */
  readonly hasStory: boolean;
}

/** Who can be played: the registry, the people of the story, and a visitor who has no role yet. */
export const demoPeople = ({ owner }: Pick<Settings, 'owner'>): readonly Caller[] => [
  { did: owner, username: 'registry', role: 'STANDARD_REGISTRY' },
  ...Object.values(storyPeople),
  { did: 'did:example:visitor', username: 'visitor', role: 'USER' },
];

/** However often it is called, the story is told once, and the request received once. */
export async function prepareDemo(engine: PolicyEngine, settings: Settings): Promise<Demo> {
  const registry: Caller = { did: settings.owner, username: 'registry', role: 'STANDARD_REGISTRY' };
  const hasStory = await tellStory(engine, registry);
  // A partner offers one of its policies.
  await engine.program.requests.receive({
    messageId: offerId,
    sender: { instance: partnerInstance, did: policy.owner },
    policyId: policy.id,
    action: { type: 'import-policy', policy },
  });
  return { hasStory };
}
